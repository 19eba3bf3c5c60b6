import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import i18next from 'i18next'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { session } from '../contract.ts'
import { proveAtProvider } from './provider-proof.ts'
import { api } from './session-calls.ts'

type Options = Answer<(typeof session)['calls']['recentOptions']>

/** Asks who it is before a dangerous change; the call that wanted it goes on by itself. */
export default function RecentDialog({ answer }: { answer: (isProven: boolean) => void }) {
  const { t } = useTranslation('ground/session')
  const [options, setOptions] = useState<Options | null>(null)
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const stopWaiting = useRef<(() => void) | null>(null)

  useEffect(() => {
    void i18next.loadNamespaces('ground/session')
    api.recentOptions({}).then(setOptions, refusal => setError(errorText(refusal)))
    return () => stopWaiting.current?.()
  }, [])

  const hasCode = options?.hasAuthenticator && !options.hasPassword
  const prove = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setError(null)
    try {
      if (await work()) return answer(true)
    } catch (refusal) {
      setError(errorText(refusal))
    }
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed) void prove(() => api.confirm({ body: hasCode ? { code: typed.trim() } : { password: typed } }))
  }
  const withPasskey = () =>
    prove(async () => {
      const { passkey: question, ticket } = await api.recentOptions({})
      const { answerWithPasskey } = await import('./passkey.ts')
      const passkey = await answerWithPasskey(question)
      return passkey && ticket && api.confirm({ body: { ticket, passkey } })
    })
  const withProvider = async (providerId: string) => {
    setError(null)
    stopWaiting.current?.()
    try {
      stopWaiting.current = await proveAtProvider(providerId, () => answer(true))
      setWaiting(true)
    } catch (refusal) {
      setError(errorText(refusal))
    }
  }
  const isTypable = options?.hasPassword || options?.hasAuthenticator
  const hasWay = isTypable || options?.hasPasskeys || (options?.providers.length ?? 0) > 0
  return (
    <Modal
      visible
      header={t('recent.title')}
      onDismiss={() => answer(false)}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={() => answer(false)}>
              {t('recent.cancel')}
            </Button>
            {isTypable && (
              <Button variant="primary" form="recent-proof" loading={isBusy} data-action="confirm">
                {t('recent.go')}
              </Button>
            )}
          </SpaceBetween>
        </Box>
      }
    >
      <form id="recent-proof" onSubmit={submit}>
        <SpaceBetween size="m">
          <span>{t('recent.text')}</span>
          {error && <Alert type="error">{error}</Alert>}
          {options && !hasWay && <Alert type="info">{t('recent.noWay')}</Alert>}
          {isTypable && (
            <FormField label={t(hasCode ? 'step.code' : 'signIn.password')}>
              <Input
                autoFocus
                value={typed}
                type={hasCode ? 'text' : 'password'}
                name="proof"
                autoComplete={hasCode ? 'one-time-code' : 'current-password'}
                onChange={({ detail }) => setTyped(detail.value)}
              />
            </FormField>
          )}
          {options?.hasPasskeys && (
            <Button iconName="key" formAction="none" data-action="passkey" onClick={() => void withPasskey()}>
              {t('step.passkey')}
            </Button>
          )}
          {options?.providers.map(({ providerId, name }) => (
            <Button
              key={providerId}
              iconName="external"
              iconAlign="right"
              formAction="none"
              data-action="provider"
              onClick={() => void withProvider(providerId)}
            >
              {t('recent.provider', { name })}
            </Button>
          ))}
          {isWaiting && <StatusIndicator type="in-progress">{t('recent.waiting')}</StatusIndicator>}
        </SpaceBetween>
      </form>
    </Modal>
  )
}
