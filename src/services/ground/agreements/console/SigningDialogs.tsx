import type { CallInput } from '../../../../console/client.ts'
import type { Action } from '../../../../console/use-action.ts'
import type { agreements } from '../contract.ts'
import type { StandingView } from './agreement-calls.ts'
import { ReadAndSign } from './ReadAndSign.tsx'
import { SignedText } from './SignedText.tsx'
import { Withdraw } from './Withdraw.tsx'

type Sign = typeof agreements.calls.sign
type SignInfo = CallInput<Sign>['body']['signInfo'][number]
type Line = Pick<
  StandingView,
  'agrType' | 'branchId' | 'country' | 'language' | 'version' | 'name' | 'isRequired' | 'signId'
>

/** What is open over a list of agreements. */
export type Opened = { how: 'sign' | 'withdraw'; line: Line } | { how: 'text'; signId: string }

interface SigningDialogsProps {
  open: Opened | null
  sign: Pick<Action<Sign>, 'isRunning' | 'error'> & { run: (input: CallInput<Sign>) => Promise<unknown> }
  /** Signed for the team, and not by the person. */
  isOfTeam?: boolean
  onClose: () => void
}

/** Reading and signing, taking a signature back, and the text that was signed. */
export function SigningDialogs({ open, sign, isOfTeam = false, onClose }: SigningDialogsProps) {
  if (open === null) return null
  if (open.how === 'text') return <SignedText signId={open.signId} isOfTeam={isOfTeam} onClose={onClose} />
  const { line } = open
  const shared = { line, isRunning: sign.isRunning, error: sign.error, onClose }
  const run = (one: SignInfo) => void sign.run({ body: { signInfo: [one] } })
  if (open.how === 'sign') {
    return (
      <ReadAndSign
        {...shared}
        onSign={({ agrType, branchId, country, language, version, bodyHash }) =>
          run({ agrType, branchId, country, language, version, bodyHash, isAgree: true })
        }
      />
    )
  }
  const { agrType, branchId, country, language, version } = line
  const withdraw = () => language !== null && run({ agrType, branchId, country, language, version, isAgree: false })
  return <Withdraw {...shared} onWithdraw={withdraw} />
}
