import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { authTypes, eventsOf, type TriggerType, type TriggerWishes } from '../../triggers/rules.ts'
import { CronFields } from './CronFields.tsx'

interface TriggerFieldsProps {
  type: TriggerType
  config: TriggerWishes
  onChange: (next: TriggerWishes) => void
  /** Whether what was written can be read as what it is to be. */
  onRead: (isRead: boolean) => void
}

/** What a trigger of a kind waits for. */
export function TriggerFields({ type, config, onChange, onRead }: TriggerFieldsProps) {
  const { t } = useTranslation('build/functions')
  const set = (change: TriggerWishes) => onChange({ ...config, ...change })
  const word = (name: 'zone' | 'objectType' | 'bucketId' | 'prefix' | 'suffix' | 'topic') => (
    <FormField label={t(`triggers.fields.${name}`)} constraintText={t(`triggers.hints.${name}`)}>
      <Input
        value={config[name] ?? ''}
        spellcheck={false}
        onChange={({ detail }) => set({ [name]: detail.value.trim() === '' ? '' : detail.value })}
      />
    </FormField>
  )
  if (type === 'CRON') return <CronFields config={config} onChange={onChange} onRead={onRead} />
  if (type === 'EVENT') return word('topic')
  if (type === 'HTTP') {
    const options = [...authTypes].reverse().map(value => ({ value, label: t(`triggers.who.${value}`) }))
    return (
      <FormField label={t('triggers.fields.authType')}>
        <Select
          selectedOption={options.find(one => one.value === config.authType) ?? null}
          options={options}
          onChange={({ detail }) => set({ authType: detail.selectedOption.value as (typeof authTypes)[number] })}
        />
      </FormField>
    )
  }
  return (
    <SpaceBetween size="m">
      {type === 'CLOUDDB' && word('objectType')}
      {type === 'CLOUDDB' && word('zone')}
      <FormField label={t('triggers.fields.events')}>
        <SpaceBetween size="xxs">
          {eventsOf[type].map(event => (
            <Checkbox
              key={event}
              checked={config.events?.includes(event) ?? false}
              onChange={({ detail }) => {
                const others = (config.events ?? []).filter(one => one !== event)
                set({ events: detail.checked ? [...others, event] : others })
              }}
            >
              {t(`triggers.events.${event}`)}
            </Checkbox>
          ))}
        </SpaceBetween>
      </FormField>
      {type === 'CLOUDDB' && (
        <FormField label={t('triggers.fields.fields')} constraintText={t('triggers.hints.fields')}>
          <Input
            value={(config.fields ?? []).join(', ')}
            spellcheck={false}
            onChange={({ detail }) =>
              set({
                fields: detail.value.split(/\s*,\s*/).filter((one, at, all) => one !== '' || at === all.length - 1),
              })
            }
          />
        </FormField>
      )}
      {type === 'CLOUDSTORAGE' && word('prefix')}
      {type === 'CLOUDSTORAGE' && word('suffix')}
      {type === 'CLOUDSTORAGE' && word('bucketId')}
    </SpaceBetween>
  )
}
