import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { api, type ContactView, useNow } from './contact-calls.ts'

interface ResendButtonProps {
  contact: ContactView
  onSent: () => void
  /** Within the row of a table. */
  isInline?: boolean
}

/** Sends another code, once the time after the one before is over; until then it counts the seconds. */
export function ResendButton({ contact, onSent, isInline = false }: ResendButtonProps) {
  const { t } = useTranslation('ground/developer-support')
  const { address, availableAt } = contact
  const seconds = Math.ceil((availableAt - useNow()) / 1000)
  const label = seconds > 0 ? t('code.resendIn', { count: seconds }) : t('code.resend')
  const send = useAction(api.verifyContact, {
    onDone: () => {
      notify({ tone: 'success', text: t('code.sent', { address }) })
      onSent()
    },
  })
  return (
    <Button
      formAction="none"
      variant={isInline ? 'inline-link' : 'normal'}
      data-action="resendCode"
      ariaLabel={t('code.resendOf', { label, address })}
      disabled={seconds > 0}
      loading={send.isRunning}
      onClick={() => void send.run({ body: { address } })}
    >
      {label}
    </Button>
  )
}
