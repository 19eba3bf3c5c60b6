import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../../console/client.ts'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { shownZoneIds } from '../../../../kernel/zones.ts'
import { gateway } from '../contract.ts'

const api = client(gateway)

interface TryNamedProps {
  api: { apiName: string; example: object; input: unknown; zonePolicy: 'china' | 'current' }
  onClose: () => void
}

/** Makes the call with the session of this tab, and shows the very text that goes out. */
export function TryNamed({ api: named, onClose }: TryNamedProps) {
  const { t } = useTranslation('ground/generic-gateway')
  const [params, setParams] = useState(() => JSON.stringify(named.example, null, 2))
  const [zoneId, setZoneId] = useState('')
  const [answer, setAnswer] = useState<string | null>(null)
  const invoke = useAction(api.invoke, {
    errors: 'form',
    invalidates: [],
    onDone: got => setAnswer(JSON.stringify(got, null, 2)),
  })
  const isJson = isObject(params)
  const zones = [
    { value: '', label: t(`zones.${named.zonePolicy}`) },
    ...shownZoneIds.map(zone => ({ value: zone as string, label: zone as string })),
  ]
  const body = {
    apiName: named.apiName,
    params: isJson ? JSON.stringify(JSON.parse(params)) : '',
    ...(zoneId && { zoneId }),
  }
  const send = () => {
    setAnswer(null)
    void invoke.run({ body })
  }
  return (
    <DialogBox
      size="large"
      title={named.apiName}
      verb={t('try.send')}
      action="sendNamed"
      isRunning={invoke.isRunning}
      canSubmit={isJson}
      onSubmit={send}
      onClose={onClose}
    >
      <FormField label={t('try.params')} stretch errorText={isJson ? undefined : t('try.notJson')}>
        <Textarea value={params} rows={6} spellcheck={false} onChange={({ detail }) => setParams(detail.value)} />
      </FormField>
      <FormField label={t('try.zone')}>
        <Select
          selectedOption={zones.find(one => one.value === zoneId) ?? null}
          options={zones}
          onChange={({ detail }) => setZoneId(detail.selectedOption.value ?? '')}
        />
      </FormField>
      <Shown label={t('try.sent')} text={`POST /gateway/v1/invoke\n${JSON.stringify(body, null, 2)}`} />
      {invoke.error && (
        <Alert type="error" header={errorText(invoke.error)}>
          {invoke.error.fields.map(field => (
            <div key={field.pointer} translate="no">
              <code>{field.pointer}</code> {field.message}
            </div>
          ))}
        </Alert>
      )}
      {answer !== null && <Shown label={t('try.answer')} text={answer} />}
      <Shown label={t('try.schema')} text={JSON.stringify(named.input, null, 2)} />
    </DialogBox>
  )
}

function Shown({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <div className="gateway-label">{label}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section tabIndex={0} aria-label={label} className="gateway-text">
        <pre translate="no">{text}</pre>
      </section>
    </div>
  )
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
