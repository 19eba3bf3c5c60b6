import '../review.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { DeskZoneChoice } from '../desk/DeskZoneChoice.tsx'
import { useDeskZone } from '../desk/use-desk-zone.ts'
import { statisticsApi } from '../review-calls.ts'
import { percentText } from '../review-words.ts'
import { DecisionChart } from './DecisionChart.tsx'
import { CategoryTable, ReviewerTable, WaitTable } from './StatisticsTables.tsx'
import { WaitChart } from './WaitChart.tsx'

const spans = ['7', '30', '90'] as const
const readSpan = (raw: Record<string, unknown>) => ({
  days: spans.find(days => days === raw['days']) ?? ('30' as const),
  zone: undefined as string | undefined,
})

/** How the desk works: how long developers wait, how much passes at the first try, who decides what. */
export default function StatisticsPage() {
  const { t } = useTranslation('distribute/review')
  const [{ days }, change] = usePageSearch(readSpan)
  const { at } = useDeskZone()
  const found = useCall(statisticsApi.getStatistics, { query: { days: Number(days) } }, { ...at, keepBefore: true })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  const { now, total, waits, reviewers, categories } = found.data
  const figures = [
    [t('stats.waiting'), now.waiting],
    [t('stats.overdue'), now.overdue],
    [t('stats.oldest'), now.oldestQueuedAt === null ? '–' : <When key="oldest" at={now.oldestQueuedAt} />],
    [t('stats.decided'), total.decided],
    [t('stats.firstPass'), percentText(total.firstPassRate)],
    [t('stats.automatic'), total.automatic],
    [t('stats.sampled'), total.sampled],
  ] as const
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('stats.title')} description={t('stats.text')} actions={<DeskZoneChoice />} />
      <SegmentedControl
        label={t('stats.span')}
        selectedId={days}
        options={spans.map(id => ({ id, text: t('stats.days', { count: Number(id) }) }))}
        onChange={({ detail }) => change({ days: detail.selectedId as typeof days })}
      />
      <Container header={<Header variant="h2">{t('stats.glance')}</Header>}>
        <dl className="review-figures">
          {figures.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Container>
      <DecisionChart days={found.data.days} />
      <WaitChart waits={waits} />
      <WaitTable rows={waits} />
      <ReviewerTable rows={reviewers} />
      <CategoryTable rows={categories} />
    </SpaceBetween>
  )
}
