import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { changeStates } from '../../change-requests/rules.ts'
import { changesApi, type TabProps } from '../config-calls.ts'
import { RequestPanel } from './RequestPanel.tsx'
import { requestTones } from './request-tones.ts'

/** What is asked to be published; one of them is opened by its address. */
export function RequestsTab({ where }: TabProps) {
  const [{ request }, change] = usePageSearch(raw => ({ request: String(raw['request'] ?? '') }))
  const open = (id: string | undefined) => change({ request: id } as never)
  if (request !== '') return <RequestPanel changeRequestId={request} onBack={() => open(undefined)} />
  return <RequestTable where={where} onOpen={open} />
}

function RequestTable({ where, onOpen }: Pick<TabProps, 'where'> & { onOpen: (id: string) => void }) {
  const { t } = useTranslation('grow/remote-config')
  const table = useTableState({ id: 'remote-config-requests', filters: ['state'] as const })
  const { state } = table.filters
  const found = useCall(
    changesApi.listChangeRequests,
    {
      query: {
        ...where,
        ...table.page,
        ...(table.search && { search: table.search }),
        ...(state && { state: state as 'DRAFT' }),
      },
    },
    { keepBefore: true },
  )
  return (
    <DataTable
      title={t('tabs.requests')}
      table={table}
      result={found}
      rowKey={row => row.changeRequestId}
      rowName={row => row.title}
      searchLabel={t('requests.search')}
      filters={[
        {
          id: 'state',
          label: t('schedules.state'),
          options: changeStates.map(value => ({ value, label: t(`requests.states.${value}`) })),
        },
      ]}
      empty={{ title: t('requests.empty'), text: t('requests.emptyText') }}
      columns={[
        {
          id: 'title',
          header: t('requests.title'),
          isName: true,
          minWidth: 200,
          cell: row => (
            <Button variant="inline-link" data-action="open" onClick={() => onOpen(row.changeRequestId)}>
              {row.title}
            </Button>
          ),
        },
        {
          id: 'state',
          header: t('schedules.state'),
          cell: row => <StatusBadge tone={requestTones[row.state]} text={t(`requests.states.${row.state}`)} />,
        },
        { id: 'author', header: t('requests.author'), cell: row => row.createdBy?.name ?? '–' },
        {
          id: 'approvals',
          header: t('requests.approvals'),
          cell: row => t('requests.approved', { approvals: row.approvals, needed: row.approvalsNeeded }),
        },
        { id: 'base', header: t('requests.base'), cell: row => row.baseVersion },
        {
          id: 'dueAt',
          header: t('requests.dueAt'),
          cell: row => (row.dueAt === null ? '–' : <When at={row.dueAt} show="both" />),
        },
      ]}
    />
  )
}
