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
import { type DeveloperState, developerCycle } from '../../rules.ts'
import { developerApi } from '../agreement-calls.ts'
import { stateTones } from '../team/states.ts'
import { useWords } from '../words.ts'

/** What teams have handed in, the oldest first, and what became of it. */
export default function SubmittedPage() {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const table = useTableState<'state'>({ id: 'submitted-agreements', filters: ['state'] })
  const { filters, page } = table
  const result = useCall(
    developerApi.listSubmitted,
    { query: { ...page, ...(filters.state && { state: filters.state as DeveloperState }) } },
    { keepBefore: true },
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('desk.title')} description={t('desk.text')} />
      <DataTable
        title={t('desk.list')}
        table={table}
        result={result}
        rowKey={row => row.agreementId}
        rowName={row => row.title}
        filters={[
          {
            id: 'state',
            label: t('history.state'),
            options: developerCycle.states
              .filter(value => value !== 'draft')
              .map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t('desk.empty'), text: t('desk.emptyText') }}
        columns={[
          {
            id: 'title',
            header: t('own.name'),
            isName: true,
            minWidth: 220,
            cell: row => (
              <Link href={hrefOf('/operate/developer-agreements/$agreementId', { agreementId: row.agreementId })}>
                <span translate="no">{row.title}</span>
              </Link>
            ),
          },
          {
            id: 'team',
            header: t('desk.team'),
            minWidth: 160,
            cell: row => <span translate="no">{row.teamName ?? row.teamId}</span>,
          },
          { id: 'kind', header: t('own.kind'), width: 170, cell: row => t(`kinds.${row.kind}`) },
          { id: 'country', header: t('country.label'), width: 170, cell: row => words.country(row.country) },
          {
            id: 'state',
            header: t('history.state'),
            width: 150,
            cell: row => <StatusBadge tone={stateTones[row.state]} text={t(`states.${row.state}`)} />,
          },
          { id: 'updatedAt', header: t('own.updated'), width: 160, cell: row => <When at={row.updatedAt} /> },
        ]}
      />
    </SpaceBetween>
  )
}
