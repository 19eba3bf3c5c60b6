import Autosuggest from '@cloudscape-design/components/autosuggest'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { limits, stepIdPattern } from '../rules.ts'
import { callOf, callText, desk, parsed, pretty, type Step } from './process-calls.ts'

interface StepFormProps {
  /** The step to change; none for a new one. */
  step: Step | undefined
  onDone: (step: Step) => void
  onClose: () => void
}

const jsonFields = ['when', 'input', 'fallback', 'cacheKey'] as const

/** All of a step; mappings are written as JSON. */
export function StepForm({ step, onDone, onClose }: StepFormProps) {
  const { t } = useTranslation('ground/orchestration')
  const [id, setId] = useState(step?.id ?? '')
  const [call, setCall] = useState(step ? callText(step) : '')
  const [after, setAfter] = useState(step?.dependsOn?.join(', ') ?? '')
  const [timeoutMs, setTimeoutMs] = useState(String(step?.timeoutMs ?? ''))
  const [retries, setRetries] = useState(String(step?.retries ?? ''))
  const [isOptional, setOptional] = useState(step?.optional ?? false)
  const [reads, setReads] = useState(step?.reads ?? false)
  const [json, setJson] = useState(() =>
    Object.fromEntries(jsonFields.map(field => [field, step?.[field] === undefined ? '' : pretty(step[field])])),
  )
  const known = useCall(
    desk.listCalls,
    { query: { search: call.trim().split(/\s+/).pop() ?? '', pageSize: 50 } },
    { keepBefore: true },
  )
  const isJson = (field: string) => (json[field] ?? '').trim() === '' || parsed(json[field] ?? '') !== undefined
  const target = callOf(call)
  const numbers = { timeoutMs, retries }
  const made = (): Step => ({
    id,
    ...target,
    ...(after.trim()
      ? {
          dependsOn: after
            .split(',')
            .map(one => one.trim())
            .filter(Boolean),
        }
      : {}),
    ...Object.fromEntries(jsonFields.flatMap(field => (json[field]?.trim() ? [[field, parsed(json[field])]] : []))),
    ...Object.fromEntries(Object.entries(numbers).flatMap(([key, value]) => (value ? [[key, Number(value)]] : []))),
    ...(isOptional ? { optional: true } : {}),
    ...(reads ? { reads: true } : {}),
  })
  return (
    <DialogBox
      size="large"
      title={step ? t('step.edit', { id: step.id }) : t('step.new')}
      verb={t('step.take')}
      action="takeStep"
      isRunning={false}
      canSubmit={new RegExp(stepIdPattern).test(id) && target !== undefined && jsonFields.every(isJson)}
      onSubmit={() => onDone(made())}
      onClose={onClose}
    >
      <FormField label={t('step.id')}>
        <Input value={id} spellcheck={false} onChange={({ detail }) => setId(detail.value)} />
      </FormField>
      <FormField label={t('step.call')} description={t('step.callHint')} stretch>
        <Autosuggest
          value={call}
          ariaLabel={t('step.call')}
          enteredTextLabel={value => t('step.use', { value })}
          filteringType="manual"
          statusType={known.isFetching ? 'loading' : 'finished'}
          loadingText={t('state.loading')}
          options={(known.data?.list ?? []).map(one => ({
            value: `${one.service} ${one.name}`,
            description: `${one.method} ${one.path}`,
          }))}
          onChange={({ detail }) => setCall(detail.value)}
        />
      </FormField>
      <FormField label={t('step.dependsOn')} description={t('step.dependsOnHint')} stretch>
        <Input value={after} spellcheck={false} onChange={({ detail }) => setAfter(detail.value)} />
      </FormField>
      {jsonFields.map(field => (
        <FormField
          key={field}
          stretch
          label={t(`step.${field}`)}
          description={t(`step.${field}Hint`)}
          errorText={isJson(field) ? undefined : t('json.notJson')}
        >
          <Textarea
            value={json[field] ?? ''}
            rows={field === 'input' ? 7 : 3}
            spellcheck={false}
            onChange={({ detail }) => setJson(before => ({ ...before, [field]: detail.value }))}
          />
        </FormField>
      ))}
      <SpaceBetween direction="horizontal" size="l">
        <FormField label={t('step.timeoutMs')}>
          <Input
            type="number"
            value={timeoutMs}
            placeholder={String(limits.timeoutMs)}
            onChange={({ detail }) => setTimeoutMs(detail.value)}
          />
        </FormField>
        <FormField label={t('step.retries')}>
          <Input type="number" value={retries} placeholder="0" onChange={({ detail }) => setRetries(detail.value)} />
        </FormField>
      </SpaceBetween>
      <Checkbox checked={isOptional} onChange={({ detail }) => setOptional(detail.checked)}>
        {t('step.optional')}
      </Checkbox>
      <Checkbox checked={reads} onChange={({ detail }) => setReads(detail.checked)}>
        {t('step.reads')}
      </Checkbox>
    </DialogBox>
  )
}
