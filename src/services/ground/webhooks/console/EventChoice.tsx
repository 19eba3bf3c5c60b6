import Multiselect from '@cloudscape-design/components/multiselect'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../console/use-call.ts'
import { api } from './webhook-calls.ts'

interface EventChoiceProps {
  chosen: readonly string[]
  onChange: (types: string[]) => void
}

/** Which events are wanted, by what they are about; none chosen means all. */
export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const { t } = useTranslation('ground/webhooks')
  const { data, isPending } = useCall(api.listEventTypes, {}, { staleTime: Number.POSITIVE_INFINITY })
  const groups = Map.groupBy(data?.list ?? [], one => one.type.slice(0, one.type.indexOf('.')))
  const options = [...groups].map(([group, types]) => ({
    label: t(`groups.${group}`),
    options: types.map(({ type }) => ({
      value: type,
      label: type,
      description: t(`types.${type.replaceAll('.', '_')}`),
    })),
  }))
  return (
    <Multiselect
      filteringType="auto"
      statusType={isPending ? 'loading' : 'finished'}
      placeholder={t('events.all')}
      options={options}
      selectedOptions={chosen.map(value => ({ value, label: value }))}
      onChange={({ detail }) => onChange(detail.selectedOptions.flatMap(option => option.value ?? []))}
      tokenLimit={6}
    />
  )
}
