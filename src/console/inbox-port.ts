import { useQuery } from '@tanstack/react-query'
import { currentTeamId, useSession } from './session.ts'
import { queryClient } from './use-call.ts'

/** What the frame shows of the service that tells people things, which it does not know. */
interface InboxSource {
  /** The service's folder: its query keys begin with it, so that what its pages change is counted anew here. */
  service: string
  /** The page that the bell leads to. */
  path: string
  load: () => Promise<{ countUnread: () => Promise<number> }>
}

let source: InboxSource | undefined
const lookEveryMs = 60_000

/** Takes over the service that knows the inbox, once, from `main`. */
export function connectInbox(given: InboxSource): void {
  source = given
}

/** How many notices are unread, looked up once a minute and whenever the window is looked at; and where they are. */
export function useUnread(): { unread: number; path: string } {
  const session = useSession()
  const { data } = useQuery(
    {
      queryKey: [source?.service, 'the frame’s bell', currentTeamId()],
      queryFn: async () => (await source?.load())?.countUnread() ?? 0,
      enabled: source !== undefined && session.status === 'in',
      refetchInterval: lookEveryMs,
      retry: false,
    },
    queryClient,
  )
  return { unread: data ?? 0, path: source?.path ?? '/' }
}
