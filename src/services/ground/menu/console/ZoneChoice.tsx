import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useTranslation } from 'react-i18next'
import { shownZoneIds, type ZoneId } from '../../../../kernel/zones.ts'

interface ZoneChoiceProps {
  /** Left out, it is where something is shown. */
  label?: string
  value: readonly ZoneId[]
  onChange: (zones: ZoneId[]) => void
}

/** The zones something is shown in; none is all of them. */
export function ZoneChoice({ label, value, onChange }: ZoneChoiceProps) {
  const { t } = useTranslation('ground/menu')
  const options = shownZoneIds.map(zone => ({ value: zone, label: t(`zones.${zone}`) }))
  return (
    <FormField label={label ?? t('form.zones')} constraintText={t('form.zonesHint')}>
      <Multiselect
        options={options}
        selectedOptions={options.filter(option => value.includes(option.value))}
        placeholder={t('form.allZones')}
        expandToViewport
        onChange={({ detail }) => onChange(detail.selectedOptions.map(option => option.value as ZoneId))}
      />
    </FormField>
  )
}
