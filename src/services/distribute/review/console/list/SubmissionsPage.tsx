import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type SubmissionState, submissionStates } from '../../rules.ts'
import { threads } from '../review-calls.ts'
import { toneOfSubmission } from '../review-words.ts'

/** What the team has handed in, the newest first. */
export default function SubmissionsPage() {
  const { t } = useTranslation('distribute/review')
  const table = useTableState<'state'>({ id: 'submissions', filters: ['state'] })
  const { state } = table.filters
  const result = useCall(
    threads.listSubmissions,
    { query: { ...table.page, ...(state && { state: state as SubmissionState }) } },
    { keepBefore: true, refetchInterval: 15_000 },
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('submissions.title')} description={t('submissions.text')} />
      <DataTable
        title={t('submissions.all')}
        table={table}
        result={result}
        rowKey={row => row.submissionId}
        rowName={row => row.title || row.appName}
        filters={[
          {
            id: 'state',
            label: t('submissions.state'),
            options: submissionStates.map(value => ({ value, label: t(`submission.${value}`) })),
          },
        ]}
        empty={{ title: t('submissions.empty'), text: t('submissions.emptyText') }}
        columns={[
          {
            id: 'name',
            header: t('submissions.name'),
            isName: true,
            minWidth: 220,
            cell: row => {
              const several = t('submissions.several', { name: row.appName, count: row.itemCount - 1 })
              return (
                <>
                  <Link
                    href={hrefOf('/apps/$appId/submission', { appId: row.appId }, { submissionId: row.submissionId })}
                  >
                    {row.title || (row.itemCount > 1 ? several : row.appName)}
                  </Link>
                  {row.title && <div className="lg-soft">{row.itemCount > 1 ? several : row.appName}</div>}
                </>
              )
            },
          },
          {
            id: 'state',
            header: t('submissions.state'),
            minWidth: 150,
            cell: row => <StatusBadge tone={toneOfSubmission[row.state]} text={t(`submission.${row.state}`)} />,
          },
          {
            id: 'waiting',
            header: t('submissions.waiting'),
            cell: row => (row.waitingFor ? <StatusBadge tone="caution" text={t('submissions.waiting')} /> : '–'),
          },
          { id: 'messages', header: t('submissions.messages'), cell: row => row.messageCount },
          { id: 'submitted', header: t('submissions.submitted'), cell: row => <When at={row.submittedAt} /> },
        ]}
      />
    </SpaceBetween>
  )
}
