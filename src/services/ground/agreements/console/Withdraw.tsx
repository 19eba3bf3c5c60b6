import Alert from '@cloudscape-design/components/alert'
import { useTranslation } from 'react-i18next'
import type { CallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import type { StandingView } from './agreement-calls.ts'
import { useWords } from './words.ts'

interface WithdrawProps {
  line: Pick<StandingView, 'name' | 'isRequired'>
  isRunning: boolean
  error: CallError | null
  onWithdraw: () => void
  onClose: () => void
}

/** Says what follows before a signature is taken back. */
export function Withdraw({ line, isRunning, error, onWithdraw, onClose }: WithdrawProps) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  return (
    <DialogBox
      title={t('mine.withdrawOf', { name: line.name[words.language] })}
      verb={t('mine.withdraw')}
      action="withdraw"
      isRunning={isRunning}
      refusal={error ? errorText(error) : null}
      onSubmit={onWithdraw}
      onClose={onClose}
    >
      <Alert type="warning">{line.isRequired ? t('mine.withdrawRequired') : t('mine.withdrawText')}</Alert>
    </DialogBox>
  )
}
