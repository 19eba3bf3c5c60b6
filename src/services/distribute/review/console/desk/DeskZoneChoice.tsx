import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { shownZoneIds } from '../../../../../kernel/zones.ts'
import { useDeskZone } from './use-desk-zone.ts'

const readNothing = () => ({
  zone: undefined as string | undefined,
  page: undefined as string | undefined,
  cursor: undefined as string | undefined,
})

/** Which zone the desk looks at. */
export function DeskZoneChoice() {
  const { t } = useTranslation('distribute/review')
  const [, change] = usePageSearch(readNothing)
  const { zone } = useDeskZone()
  const zones = [
    { value: '', label: t('desk.mainZone') },
    ...shownZoneIds.map(value => ({ value: String(value), label: t(`zones.${value}`) })),
  ]
  return (
    <Select
      ariaLabel={t('desk.zone')}
      inlineLabelText={t('desk.zone')}
      selectedOption={zones.find(one => one.value === (zone ?? '')) ?? null}
      options={zones}
      onChange={({ detail }) =>
        change({ page: undefined, cursor: undefined, zone: detail.selectedOption.value || undefined })
      }
    />
  )
}
