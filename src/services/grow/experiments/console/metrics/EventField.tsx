import Autosuggest from '@cloudscape-design/components/autosuggest'
import FormField from '@cloudscape-design/components/form-field'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { metricsApi } from '../experiment-calls.ts'
import { numbersOf } from '../numbers.ts'

interface EventFieldProps {
  projectId: string
  label: string
  value: string
  onChange: (event: string) => void
}

/** The name of an event: those that came lately are proposed, any other can be typed and is warned of. */
export function EventField({ projectId, label, value, onChange }: EventFieldProps) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { whole } = numbersOf(i18n.resolvedLanguage)
  const found = useCall(metricsApi.listEvents, { query: { projectId, pageSize: 100 } })
  const seen = found.data?.list ?? []
  const isUnseen = found.data !== undefined && value !== '' && !seen.some(one => one.name === value)
  return (
    <FormField label={label} warningText={isUnseen ? t('metrics.unseen') : undefined}>
      <div translate="no">
        <Autosuggest
          value={value}
          ariaLabel={label}
          enteredTextLabel={text => t('metrics.use', { name: text })}
          options={seen.map(one => ({
            value: one.name,
            description: t('metrics.seen', { events: whole(one.count), units: whole(one.units) }),
          }))}
          statusType={found.isPending ? 'loading' : 'finished'}
          empty={t('metrics.noEvents')}
          onChange={({ detail }) => onChange(detail.value)}
        />
      </div>
    </FormField>
  )
}
