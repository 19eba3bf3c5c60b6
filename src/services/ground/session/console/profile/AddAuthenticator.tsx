import Alert from '@cloudscape-design/components/alert'
import Modal from '@cloudscape-design/components/modal'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'
import { isCallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { recentNumber } from '../../../../../console/recent.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import { factorCalls } from '../../factors/contract.ts'
import { factorApi } from './profile-calls.ts'

type Started = Answer<(typeof factorCalls)['calls']['startAuthenticator']>

interface AddAuthenticatorProps {
  onClose: () => void
  onDone: (recoveryCodes: readonly string[]) => void
}

/** The secret as picture and as text; it counts once a code of it came back. */
export function AddAuthenticator({ onClose, onDone }: AddAuthenticatorProps) {
  const { t } = useTranslation('ground/session')
  const [started, setStarted] = useState<Started | null>(null)
  const [error, setError] = useState<string | null>(null)

  // Once, however often the page around is drawn: each start makes another secret.
  const close = useRef(onClose)
  useEffect(() => {
    factorApi.startAuthenticator({}).then(setStarted, refusal => {
      if (isCallError(refusal) && refusal.number === recentNumber) close.current()
      else setError(errorText(refusal))
    })
  }, [])

  if (!started && error === null) return null
  return (
    <Modal visible header={t('authenticator.add')} onDismiss={onClose}>
      {error && <Alert type="error">{error}</Alert>}
      {started ? <Confirm started={started} onClose={onClose} onDone={onDone} /> : <StatusIndicator type="loading" />}
    </Modal>
  )
}

function Confirm({ started, onClose, onDone }: AddAuthenticatorProps & { started: Started }) {
  const { t } = useTranslation('ground/session')
  const form = useContractForm(factorCalls.calls.confirmAuthenticator.body, { ticket: started.ticket, code: '' })
  const confirm = useAction(factorApi.confirmAuthenticator, {
    errors: 'form',
    onDone: answer => onDone(answer.recoveryCodes),
  })
  return (
    <ContractFormBox
      of={form}
      action={confirm}
      submit={body => confirm.run({ body })}
      submitLabel={t('authenticator.confirm')}
      onCancel={onClose}
    >
      <span>{t('authenticator.scan')}</span>
      <img
        className="session-qr"
        alt={t('authenticator.qr')}
        src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(started.uri, { border: 2 }))}`}
      />
      <span>
        {t('authenticator.type')}{' '}
        <code className="session-secret">{started.secret.replace(/(.{4})/g, '$1 ').trim()}</code>
      </span>
      <TextField of={form} name="code" label={t('authenticator.code')} inputMode="numeric" />
    </ContractFormBox>
  )
}
