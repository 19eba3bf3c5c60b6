import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { DeskZoneChoice } from './DeskZoneChoice.tsx'
import { deskViews, TaskTable } from './TaskTable.tsx'

const readView = (raw: Record<string, unknown>) => ({
  view: deskViews.find(view => view === raw['view']) ?? ('queue' as const),
  page: undefined as string | undefined,
  cursor: undefined as string | undefined,
})

/** What waits for a review, and what became of it. */
export default function DeskPage() {
  const { t } = useTranslation('distribute/review')
  const [{ view }, change] = usePageSearch(readView)
  const first = { page: undefined, cursor: undefined }
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('desk.title')} description={t('desk.text')} actions={<DeskZoneChoice />} />
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
