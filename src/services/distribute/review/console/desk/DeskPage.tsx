import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { shownZoneIds } from '../../../../../kernel/zones.ts'
import { deskViews, TaskTable } from './TaskTable.tsx'
import { useDeskZone } from './use-desk-zone.ts'

const readView = (raw: Record<string, unknown>) => ({
  view: deskViews.find(view => view === raw['view']) ?? ('queue' as const),
  zone: undefined as string | undefined,
  page: undefined as string | undefined,
  cursor: undefined as string | undefined,
})

/** What waits for a review, and what became of it. */
export default function DeskPage() {
  const { t } = useTranslation('distribute/review')
  const [{ view }, change] = usePageSearch(readView)
  const { zone } = useDeskZone()
  const first = { page: undefined, cursor: undefined }
  const zones = [
    { value: '', label: t('desk.mainZone') },
    ...shownZoneIds.map(value => ({ value: String(value), label: t(`zones.${value}`) })),
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('desk.title')}
        description={t('desk.text')}
        actions={
          <Select
            ariaLabel={t('desk.zone')}
            inlineLabelText={t('desk.zone')}
            selectedOption={zones.find(one => one.value === (zone ?? '')) ?? null}
            options={zones}
            onChange={({ detail }) => change({ ...first, zone: detail.selectedOption.value || undefined })}
          />
        }
      />
      <SegmentedControl
        label={t('desk.view')}
        selectedId={view}
        options={deskViews.map(id => ({ id, text: t(`views.${id}`) }))}
        onChange={({ detail }) => change({ ...first, view: detail.selectedId as typeof view })}
      />
      <TaskTable view={view} />
    </SpaceBetween>
  )
}
