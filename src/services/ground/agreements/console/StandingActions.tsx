import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import type { StandingView } from './agreement-calls.ts'
import type { Opened } from './SigningDialogs.tsx'

interface StandingActionsProps<L> {
  line: L
  /** Whether the reader may sign, and not only look. */
  maySign?: boolean
  onOpen: (opened: Opened) => void
}

/** What can be done with one agreement: look at what was signed, take it back, read and sign. */
export function StandingActions<L extends StandingView>({ line, maySign = true, onOpen }: StandingActionsProps<L>) {
  const { t } = useTranslation('ground/agreements')
  const { signId } = line
  return (
    <>
      {signId !== null && (
        <Button data-action="signedText" onClick={() => onOpen({ how: 'text', signId })}>
          {t('mine.show')}
        </Button>
      )}
      {maySign && line.isAgree && line.isWithdrawable && (
        <Button data-action="withdraw" onClick={() => onOpen({ how: 'withdraw', line })}>
          {t('mine.withdraw')}
        </Button>
      )}
      {maySign && (!line.isAgree || line.needSign) && (
        <Button variant="primary" data-action="sign" onClick={() => onOpen({ how: 'sign', line })}>
          {t('mine.read')}
        </Button>
      )}
    </>
  )
}
