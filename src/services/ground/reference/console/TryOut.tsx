import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { consoleHeaders } from '../../../../console/send.ts'
import { useSession } from '../../../../console/session.ts'
import { AnswerView, type Sent } from './AnswerView.tsx'
import { exampleOf } from './example-of.ts'
import { jsonBodyOf, type Operation, takesBytes } from './open-api.ts'
import { addressOf, curlOf, type Filled, missingIn } from './request-of.ts'
import { ScrolledText } from './ScrolledText.tsx'

interface TryOutProps {
  method: string
  path: string
  operation: Operation
}

const shownMost = 200_000

/** Sends the real call with the session of this tab. What it changes is really changed, so a write asks first. */
export function TryOut({ method, path, operation }: TryOutProps) {
  const { t } = useTranslation('ground/reference')
  const session = useSession()
  const schema = jsonBodyOf(operation.requestBody)
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(() => (schema ? JSON.stringify(exampleOf(schema), null, 2) : ''))
  const [file, setFile] = useState<File | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [isSending, setSending] = useState(false)
  const [sent, setSent] = useState<Sent | null>(null)
  const filled: Filled = { method, path, values, body: schema ? body : null }
  const missing = missingIn(operation, filled)
  const bodyFault = schema ? faultOf(body) : null
  const isWrite = method !== 'GET'
  const team = session.status === 'in' ? session.info.teams.find(one => one.teamId === session.teamId)?.name : undefined

  const send = async () => {
    setAsking(false)
    setSending(true)
    setSent(await exchange(addressOf(operation, filled), method, schema ? body : takesBytes(operation) ? file : null))
    setSending(false)
  }
  return (
    <SpaceBetween size="m">
      {operation.parameters
        .filter(one => one.in !== 'header')
        .map(one => {
          const key = `${one.in} ${one.name}`
          return (
            <FormField
              key={key}
              label={
                <>
                  <code>{one.name}</code> {!one.required && <span className="lg-optional">{t('form.optional')}</span>}
                </>
              }
              constraintText={t(`places.${one.in}`)}
            >
              <Input
                value={values[key] ?? ''}
                ariaLabel={one.name}
                ariaRequired={one.required}
                spellcheck={false}
                onChange={({ detail }) => setValues(before => ({ ...before, [key]: detail.value }))}
              />
            </FormField>
          )
        })}
      {schema && (
        <FormField label={t('call.body')} stretch errorText={bodyFault === null ? undefined : t('try.notJson')}>
          <Textarea value={body} rows={10} spellcheck={false} onChange={({ detail }) => setBody(detail.value)} />
        </FormField>
      )}
      {takesBytes(operation) && (
        <FormField label={t('try.file')}>
          <input type="file" aria-label={t('try.file')} onChange={event => setFile(event.target.files?.[0] ?? null)} />
        </FormField>
      )}
      <div className="lg-actions">
        <Button
          variant="primary"
          data-action="sendCall"
          loading={isSending}
          disabled={missing.length > 0 || bodyFault !== null}
          onClick={() => (isWrite ? setAsking(true) : void send())}
        >
          {t('try.send')}
        </Button>
        {missing.length > 0 && <span className="lg-soft">{t('try.missing', { names: missing.join(', ') })}</span>}
      </div>
      <section aria-label={t('try.curl')}>
        <Box variant="awsui-key-label">{t('try.curl')}</Box>
        <div className="reference-curl">
          <ScrolledText label={t('try.curl')} text={curlOf(operation, filled, location.origin)} />
          <CopyToClipboard
            variant="icon"
            textToCopy={curlOf(operation, filled, location.origin)}
            copyButtonAriaLabel={t('try.copy')}
            copySuccessText={t('try.copied')}
            copyErrorText={t('try.notCopied')}
          />
        </div>
        <span className="lg-soft">{t('try.curlHint')}</span>
      </section>
      {sent && <AnswerView sent={sent} />}
      {isAsking && (
        <Modal
          visible
          header={t('try.sure')}
          onDismiss={() => setAsking(false)}
          footer={
            <Box float="right">
              <SpaceBetween direction="horizontal" size="xs">
                <Button variant="link" onClick={() => setAsking(false)}>
                  {t('action.cancel')}
                </Button>
                <Button variant="primary" data-action="confirmCall" onClick={() => void send()}>
                  {t('try.sendReally')}
                </Button>
              </SpaceBetween>
            </Box>
          }
        >
          <SpaceBetween size="m">
            <Alert type="warning">{t('try.sureText', { team: team ?? '' })}</Alert>
            <code className="reference-sure">
              {method} {addressOf(operation, filled)}
            </code>
          </SpaceBetween>
        </Modal>
      )}
    </SpaceBetween>
  )
}

function faultOf(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

async function exchange(address: string, method: string, body: string | File | null): Promise<Sent> {
  const startedAt = performance.now()
  try {
    const isJson = typeof body === 'string'
    const reply = await fetch(address, {
      method,
      credentials: 'include',
      headers: { ...consoleHeaders(), ...(isJson ? { 'content-type': 'application/json' } : {}) },
      body: method === 'GET' ? null : body,
    })
    const bytes = await reply.arrayBuffer()
    const isText = /json|text|xml|javascript/.test(reply.headers.get('content-type') ?? '')
    return {
      status: reply.status,
      milliseconds: Math.round(performance.now() - startedAt),
      headers: [...reply.headers],
      sizeBytes: bytes.byteLength,
      text: isText ? pretty(new TextDecoder().decode(bytes)).slice(0, shownMost) : null,
    }
  } catch {
    return { status: 0, milliseconds: Math.round(performance.now() - startedAt), headers: [], sizeBytes: 0, text: null }
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
