import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { LocalText } from './language.ts'
import { useSession } from './session.ts'
import { queryClient } from './use-call.ts'

/** A page people keep at hand. */
export interface MenuLine {
  path: string
  title: LocalText
}

/** What the menu's service says for the team of this tab. */
export interface MenuNow {
  /** Pages of the developer's menu that permission, region and switches leave open. */
  open: readonly string[]
  favorites: readonly MenuLine[]
  recent: readonly MenuLine[]
}

/** What the frame shows of the menu's service, which it does not know. */
export interface MenuPort {
  read: () => Promise<MenuNow>
  recordUse: (path: string) => Promise<unknown>
  loadBanners: () => Promise<{ default: ComponentType }>
  loadHomePanels: () => Promise<{ default: ComponentType }>
}

interface MenuSource {
  /** The service's folder: its query keys begin with it, so what a page of it changes is read anew here too. */
  service: string
  load: () => Promise<{ menuPort: MenuPort }>
}

let source: MenuSource | undefined

/** Takes over the service that knows the menu, once, from `main`. */
export function connectMenu(given: MenuSource): void {
  source = given
}

export async function menuPort(): Promise<MenuPort> {
  if (!source) throw new Error('no service gives the menu')
  return (await source.load()).menuPort
}

/** The menu of the team; undefined until it is known, and then pages are shown by permission alone. */
export function useMenu(): UseQueryResult<MenuNow> {
  const session = useSession()
  const teamId = session.status === 'in' ? session.teamId : null
  return useQuery<MenuNow>(
    {
      queryKey: [source?.service, 'the frame’s menu', teamId],
      queryFn: async () => (await menuPort()).read(),
      enabled: teamId !== null,
      staleTime: 60_000,
    },
    queryClient,
  )
}
