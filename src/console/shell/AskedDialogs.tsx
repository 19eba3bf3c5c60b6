import { type ComponentType, Fragment, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { loadRecentDialog, recentQuestion } from '../recent.ts'
import { risk } from '../risk.ts'
import { loadSigning } from '../signing-port.ts'

const Signing = lazy(loadSigning)
const RecentDialog = lazy(loadRecentDialog)
const RiskDialog = lazy(() => import('./RiskDialog.tsx'))

interface AskedDialogsProps {
  /** Put around each where the page itself has no components; it comes with the first of them. */
  Frame?: ComponentType<{ children: ReactNode }>
}

/** What the server may ask of the person before a call is done: a signature, a fresh proof, a look at a risk. */
export function AskedDialogs({ Frame = Fragment }: AskedDialogsProps) {
  const riskText = useSyncExternalStore(risk.subscribe, risk.get)
  const question = useSyncExternalStore(recentQuestion.subscribe, recentQuestion.get)
  return (
    <>
      <Suspense>
        <Signing Frame={Frame} />
      </Suspense>
      {question && (
        <Suspense>
          <Frame>
            <RecentDialog answer={question.answer} />
          </Frame>
        </Suspense>
      )}
      {riskText !== null && (
        <Suspense>
          <Frame>
            <RiskDialog text={riskText} />
          </Frame>
        </Suspense>
      )}
    </>
  )
}
