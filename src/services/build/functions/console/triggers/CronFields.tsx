import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cronProblem, missedPolicies, nextRuns, type TriggerWishes } from '../../triggers/rules.ts'
import { NextRuns } from './NextRuns.tsx'

const textOf = (payload: unknown) => (payload == null ? '' : JSON.stringify(payload, null, 2))

/** Nothing is null; what is no JSON is undefined. */
function readPayload(text: string): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface CronFieldsProps {
  config: TriggerWishes
  onChange: (next: TriggerWishes) => void
  /** Whether what was written as payload can be read. */
  onRead: (isRead: boolean) => void
}

/** When a timer is due, with its next times as they would be. */
export function CronFields({ config, onChange, onRead }: CronFieldsProps) {
  const { t } = useTranslation('build/functions')
  const [openedAt] = useState(() => Date.now())
  const { cron = '', timezone = 'UTC', missed = 'SKIP' } = config
  const problem = cronProblem(cron.trim(), timezone)
  const [payload, setPayload] = useState(() => textOf(config.payload))
  const set = (change: TriggerWishes) => onChange({ ...config, ...change })
  const timezones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map(value => ({ value, label: value }))
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('triggers.fields.cron')}
        constraintText={t('triggers.hints.cron')}
        errorText={problem && cron !== '' ? t('triggers.cronWrong') : undefined}
      >
        <Input value={cron} spellcheck={false} onChange={({ detail }) => set({ cron: detail.value })} />
      </FormField>
      <FormField label={t('triggers.fields.timezone')}>
        <div translate="no">
          <Select
            selectedOption={{ value: timezone, label: timezone }}
            options={timezones}
            filteringType="auto"
            onChange={({ detail }) => set({ timezone: detail.selectedOption.value ?? timezone })}
          />
        </div>
      </FormField>
      {!problem && (
        <FormField label={t('triggers.nextRuns', { timezone })}>
          <NextRuns runs={nextRuns(cron.trim(), timezone, openedAt, 5)} timezone={timezone} />
        </FormField>
      )}
      <FormField
        label={t('triggers.fields.payload')}
        constraintText={t('triggers.hints.payload')}
        errorText={readPayload(payload) === undefined ? t('triggers.payloadWrong') : undefined}
      >
        <Textarea
          value={payload}
          rows={3}
          spellcheck={false}
          onChange={({ detail }) => {
            setPayload(detail.value)
            const read = readPayload(detail.value)
            onRead(read !== undefined)
            if (read !== undefined) set({ payload: read })
          }}
        />
      </FormField>
      <FormField label={t('triggers.fields.missed')}>
        <RadioGroup
          value={missed}
          onChange={({ detail }) => set({ missed: detail.value as typeof missed })}
          items={missedPolicies.map(value => ({
            value,
            label: t(`triggers.missed.${value}`),
            description: t(`triggers.missedTexts.${value}`),
          }))}
        />
      </FormField>
    </SpaceBetween>
  )
}
