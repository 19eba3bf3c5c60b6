import Header from '@cloudscape-design/components/header'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { shownLanguage } from '../../../../../console/shown.ts'
import type { StatisticsView } from '../review-calls.ts'
import { durationText, percentText } from '../review-words.ts'

const span = (ms: number | null) => (ms === null ? '–' : durationText(ms))

interface PlainProps<Row> {
  title: string
  rows: readonly Row[]
  columns: TableProps.ColumnDefinition<Row>[]
}

function Plain<Row>({ title, rows, columns }: PlainProps<Row>) {
  const { t } = useTranslation('distribute/review')
  return (
    <Table
      wrapLines
      header={<Header variant="h2">{title}</Header>}
      items={rows}
      columnDefinitions={columns}
      ariaLabels={{ tableLabel: title }}
      empty={<EmptyState title={t('stats.nothing')} text={t('stats.nothingText')} />}
    />
  )
}

export function WaitTable({ rows }: { rows: StatisticsView['waits'] }) {
  const { t } = useTranslation('distribute/review')
  return (
    <Plain
      title={t('stats.byQueue')}
      rows={rows}
      columns={[
        { id: 'queue', header: t('task.queue'), isRowHeader: true, cell: row => t(`queues.${row.queue}`) },
        { id: 'decided', header: t('stats.decided'), cell: row => row.decided },
        { id: 'p50', header: t('stats.marks.p50Ms'), cell: row => span(row.p50Ms) },
        { id: 'p90', header: t('stats.marks.p90Ms'), cell: row => span(row.p90Ms) },
        { id: 'p95', header: t('stats.marks.p95Ms'), cell: row => span(row.p95Ms) },
        { id: 'longest', header: t('stats.longest'), cell: row => span(row.longestMs) },
        { id: 'inTime', header: t('stats.inTime'), cell: row => percentText(row.inTimeRate) },
      ]}
    />
  )
}

export function ReviewerTable({ rows }: { rows: StatisticsView['reviewers'] }) {
  const { t } = useTranslation('distribute/review')
  return (
    <Plain
      title={t('stats.byReviewer')}
      rows={rows}
      columns={[
        {
          id: 'name',
          header: t('stats.reviewer'),
          isRowHeader: true,
          cell: row => <span translate="no">{row.name || row.reviewerId}</span>,
        },
        { id: 'decided', header: t('stats.decided'), cell: row => row.decided },
        { id: 'rejected', header: t('stats.rejected'), cell: row => row.rejected },
        { id: 'first', header: t('stats.firstPass'), cell: row => percentText(row.firstPassRate) },
        { id: 'handling', header: t('stats.handling'), cell: row => span(row.handlingMs) },
        { id: 'overturned', header: t('stats.overturned'), cell: row => row.overturned },
      ]}
    />
  )
}

export function CategoryTable({ rows }: { rows: StatisticsView['categories'] }) {
  const { t } = useTranslation('distribute/review')
  return (
    <Plain
      title={t('stats.byCategory')}
      rows={rows}
      columns={[
        {
          id: 'category',
          header: t('stats.category'),
          isRowHeader: true,
          cell: row => row.names?.[shownLanguage()] ?? row.kindMainTag ?? t('stats.noCategory'),
        },
        { id: 'decided', header: t('stats.decided'), cell: row => row.decided },
        { id: 'rejected', header: t('stats.rejected'), cell: row => row.rejected },
        { id: 'first', header: t('stats.firstPass'), cell: row => percentText(row.firstPassRate) },
        { id: 'p50', header: t('stats.marks.p50Ms'), cell: row => span(row.p50Ms) },
      ]}
    />
  )
}
