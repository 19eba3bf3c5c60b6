import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../../../console/shell/use-is-narrow.ts'
import { shownZoneIds, type ZoneId } from '../../../../kernel/zones.ts'
import { periods } from '../rules.ts'
import { Choice } from './Choice.tsx'

interface ZoneAndPeriodProps {
  zone: ZoneId
  days: (typeof periods)[number]
  onChange: (next: { zone?: ZoneId; days?: (typeof periods)[number] }) => void
}

/** Which zone's events, of the last how many days. */
export function ZoneAndPeriod({ zone, days, onChange }: ZoneAndPeriodProps) {
  const { t } = useTranslation('analyse/collect')
  const isNarrow = useIsNarrow()
  return (
    <>
      <Choice
        label={t('filters.zone')}
        value={zone}
        options={shownZoneIds.map(value => ({ value, label: t(`zones.${value}`) }))}
        onChange={next => onChange({ zone: next as ZoneId })}
      />
      {/* On a small screen the control shows its label itself. */}
      <FormField label={isNarrow ? undefined : t('filters.period')}>
        <SegmentedControl
          label={t('filters.period')}
          selectedId={String(days)}
          options={periods.map(id => ({ id: String(id), text: t('days', { count: id }) }))}
          onChange={({ detail }) => onChange({ days: Number(detail.selectedId) as typeof days })}
        />
      </FormField>
    </>
  )
}
