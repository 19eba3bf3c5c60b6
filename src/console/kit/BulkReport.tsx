import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BulkResult, BulkState } from '../../kernel/bulk.ts'
import { useIsNarrow } from '../shell/use-is-narrow.ts'
import { isBulkOver, toneOfBulk, toneOfResult } from './bulk-words.ts'
import { PageHeader } from './PageHeader.tsx'
import { RowCards } from './RowCards.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import type { TableColumn } from './table-parts.ts'
import { When } from './When.tsx'

interface Outcome {
  result: BulkResult
  at: number | null
}

interface BulkReportProps<Item extends Outcome> {
  report: {
    state: BulkState
    percent: number
    total: number
    done: number
    refused: number
    createdBy: string | null
    createdAt: number
    list: Item[]
  }
  /** What was done, in words. */
  title: string
  /** Behind who asked for it and when. */
  about?: string
  allHref: string
  allTitle: string
  /** The columns that say which thing it was; one of them is its name. */
  things: readonly TableColumn<Item>[]
  /** Why it was refused, or what it came into. */
  noteOf: (item: Item) => string | null
  rowKey: (item: Item) => string
  /** Above the progress. */
  children?: ReactNode
}

/** How far an action on many things is, and what became of each. */
export function BulkReport<Item extends Outcome>(props: BulkReportProps<Item>) {
  const { report, title, about, things, noteOf, rowKey } = props
  const { t } = useTranslation()
  const isNarrow = useIsNarrow()
  const { state, done, refused, total, createdBy, createdAt, list } = report
  const isOver = isBulkOver(state)
  const columns: TableColumn<Item>[] = [
    ...things,
    {
      id: 'result',
      header: t('bulk.result'),
      cell: item => <StatusBadge tone={toneOfResult[item.result]} text={t(`bulk.results.${item.result}`)} />,
    },
    { id: 'note', header: t('bulk.note'), minWidth: 320, cell: item => noteOf(item) ?? '–' },
    { id: 'at', header: t('bulk.at'), cell: item => <When at={item.at} /> },
  ]
  const progress = t('bulk.progress', { done, refused, total })
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={title}
        description={
          <>
            <span translate="no">{createdBy ?? '–'}</span> · <When at={createdAt} />
            {about && ` · ${about}`}
          </>
        }
        status={<StatusBadge tone={toneOfBulk[state]} text={t(`bulk.states.${state}`)} />}
        actions={<Link href={props.allHref}>{props.allTitle}</Link>}
      />
      {props.children}
      <Container>
        <ProgressBar
          label={title}
          value={report.percent}
          status={state === 'done' ? 'success' : isOver ? 'error' : 'in-progress'}
          additionalInfo={isOver ? undefined : progress}
          resultText={progress}
        />
      </Container>
      {isNarrow ? (
        <RowCards rows={list} columns={columns} rowKey={rowKey} isLoading={false} nothing={null} />
      ) : (
        <Table
          items={list}
          trackBy={rowKey}
          wrapLines
          header={
            <Header variant="h2" counter={`(${total})`}>
              {t('bulk.each')}
            </Header>
          }
          columnDefinitions={columns.map(column => ({
            id: column.id,
            header: column.header,
            cell: column.cell,
            isRowHeader: column.isName ?? false,
            minWidth: column.minWidth ?? 140,
          }))}
          ariaLabels={{ tableLabel: t('bulk.each') }}
        />
      )}
    </SpaceBetween>
  )
}
