import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { shownZoneIds, type ZoneId } from '../../kernel/zones.ts'

interface ZoneChoiceProps {
  /** Nothing is the zone of the server that answers. */
  zone: ZoneId | undefined
  onChoose(zone: ZoneId | undefined): void
}

/** Which zone a page of staff looks at. */
export function ZoneChoice({ zone, onChoose }: ZoneChoiceProps) {
  const { t } = useTranslation()
  const zones = [
    { value: '', label: t('zoneChoice.main') },
    ...shownZoneIds.map(value => ({ value: String(value), label: t(`zones.${value}`) })),
  ]
  return (
    <Select
      ariaLabel={t('zoneChoice.label')}
      inlineLabelText={t('zoneChoice.label')}
      selectedOption={zones.find(one => one.value === (zone ?? '')) ?? null}
      options={zones}
      onChange={({ detail }) => onChoose((detail.selectedOption.value || undefined) as ZoneId | undefined)}
    />
  )
}
