import '../beta.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { BarList } from '../../../../../console/kit/BarList.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type FeedbackState, feedbackStates } from '../../feedback/rules.ts'
import { appsApi, type FeedbackView, feedbackApi } from '../beta-calls.ts'
import { toneOfFeedback } from '../beta-words.ts'
import { FeedbackDialog } from './FeedbackDialog.tsx'

/** What testers of an app said, and what became of it. */
export default function FeedbackPage() {
  const { t, i18n } = useTranslation('distribute/beta-test')
  const appId = usePageParam('appId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const [shown, setShown] = useState<FeedbackView | null>(null)
  const table = useTableState<'state' | 'version'>({ id: 'feedback', filters: ['state', 'version'] })
  const { search, filters, page } = table
  const query = {
    appId,
    ...page,
    ...(search && { search }),
    ...(filters.state && { state: filters.state as FeedbackState }),
    ...(filters.version && { versionId: filters.version }),
  }
  const result = useCall(feedbackApi.listFeedback, { query }, { keepBefore: true })
  const numbers = useCall(feedbackApi.getFeedbackNumbers, { query: { appId } }).data
  const columns: TableColumn<FeedbackView>[] = [
    {
      id: 'text',
      header: t('feedback.text'),
      isName: true,
      minWidth: 260,
      cell: row => (
        <Button variant="inline-link" data-action="showFeedback" onClick={() => setShown(row)}>
          <span className="beta-clip" translate="no">
            {row.text}
          </span>
        </Button>
      ),
    },
    {
      id: 'tester',
      header: t('feedback.tester'),
      minWidth: 170,
      cell: row =>
        row.tester ? <span translate="no">{row.tester.nickname || row.tester.account}</span> : t('feedback.ofOpenTest'),
    },
    {
      id: 'version',
      header: t('feedback.version'),
      width: 120,
      cell: row => <span translate="no">{row.versionName ?? '–'}</span>,
    },
    { id: 'pictures', header: t('feedback.pictures'), width: 100, cell: row => row.screenshots.length || '–' },
    {
      id: 'state',
      header: t('feedback.state'),
      width: 150,
      cell: row => <StatusBadge tone={toneOfFeedback[row.state]} text={t(`feedback.states.${row.state}`)} />,
    },
    { id: 'at', header: t('feedback.at'), width: 170, cell: row => <When at={row.createdAt} /> },
  ]
  const countOf = (state: FeedbackState) => numbers?.states.find(one => one.state === state)?.count ?? 0
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('feedback.title')}
        description={t('feedback.lead')}
        actions={
          <>
            <Button href={hrefOf('/apps/$appId/tests', { appId })}>{t('tests')}</Button>
            <Button href={hrefOf('/apps/$appId/testers', { appId })}>{t('groups.title')}</Button>
          </>
        }
      />
      {numbers && numbers.states.length > 0 && (
        <div className="beta-numbers">
          <BarList
            label={t('feedback.numbers')}
            language={i18n.resolvedLanguage ?? 'zh'}
            bars={feedbackStates.map(state => ({
              id: state,
              label: t(`feedback.states.${state}`),
              value: countOf(state),
            }))}
          />
        </div>
      )}
      <DataTable
        title={t('feedback.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.feedbackId}
        rowName={row => row.text.slice(0, 60)}
        searchLabel={t('feedback.search')}
        filters={[
          {
            id: 'state',
            label: t('feedback.state'),
            options: feedbackStates.map(value => ({ value, label: t(`feedback.states.${value}`) })),
          },
          {
            id: 'version',
            label: t('feedback.version'),
            options: (numbers?.versions ?? []).map(one => ({
              value: one.versionId,
              label: one.versionName ?? one.versionId,
            })),
          },
        ]}
        empty={{ title: t('feedback.empty'), text: t('feedback.emptyText') }}
      />
      {shown && <FeedbackDialog feedback={shown} onClose={() => setShown(null)} />}
    </SpaceBetween>
  )
}
