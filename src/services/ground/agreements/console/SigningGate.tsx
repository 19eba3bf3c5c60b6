import {
  type ComponentType,
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { useSession } from '../../../../console/session.ts'
import { signingRefusals } from '../../../../console/signing-port.ts'
import { useCall } from '../../../../console/use-call.ts'
import { api, type StandingView } from './agreement-calls.ts'

const SigningDialog = lazy(() => import('./SigningDialog.tsx'))
const laterKey = 'loggia.signLater'
const keyOf = (one: StandingView) => `${one.agrType} ${one.branchId} ${one.country} ${one.latestVersion}`

interface SigningGateProps {
  /** Put around the dialog where the page itself has no components; it comes with the dialog. */
  Frame?: ComponentType<{ children: ReactNode }>
}

/** Looks after sign-in, and once a minute, whether something has to be signed, and asks for it. */
export default function SigningGate({ Frame = Fragment }: SigningGateProps) {
  const session = useSession()
  const refusals = useSyncExternalStore(signingRefusals.subscribe, signingRefusals.get)
  const [later, setLater] = useState(() => sessionStorage.getItem(laterKey) ?? '')
  const found = useCall(
    api.query,
    { body: {} },
    { enabled: session.status === 'in', staleTime: 30_000, refetchInterval: 60_000, retry: false },
  )
  const { refetch } = found
  // After the grace it can be looked away from, until the next write is refused.
  const [readsSince, setReadsSince] = useState(-1)
  useEffect(() => {
    if (refusals > 0) void refetch()
  }, [refusals, refetch])
  const put = later.split(',')
  const isReading = readsSince === refusals
  const waiting = (found.data?.signInfo ?? []).filter(
    one => one.needSign && !(one.isBlocking ? isReading : put.includes(keyOf(one))),
  )
  const first = waiting.find(one => one.isBlocking) ?? waiting[0]
  if (session.status !== 'in' || !first) return null
  const putOff = () => {
    setReadsSince(refusals)
    const next = [...put, ...waiting.filter(one => !one.isBlocking).map(keyOf)].filter(Boolean).join(',')
    sessionStorage.setItem(laterKey, next)
    setLater(next)
  }
  return (
    <Suspense>
      <Frame>
        <SigningDialog key={keyOf(first)} standing={first} count={waiting.length} onLater={putOff} />
      </Frame>
    </Suspense>
  )
}
