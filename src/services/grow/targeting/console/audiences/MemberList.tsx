import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { audiencesApi } from '../targeting-calls.ts'

/** Who is in an audience, by id. */
export function MemberList({ audienceId }: { audienceId: string }) {
  const { t } = useTranslation('grow/targeting')
  const table = useTableState({ id: 'targeting-members' })
  const { page, search } = table
  const result = useCall(
    audiencesApi.listMembers,
    { params: { audienceId }, query: { ...page, search } },
    { keepBefore: true },
  )
  return (
    <DataTable
      title={t('members.title')}
      table={table}
      result={result}
      rowKey={row => row.unit}
      rowName={row => row.unit}
      searchLabel={t('members.search')}
      empty={{ title: t('members.empty'), text: t('members.emptyText') }}
      columns={[
        {
          id: 'unit',
          header: t('members.unit'),
          isName: true,
          minWidth: 200,
          cell: row => <span translate="no">{row.unit}</span>,
        },
        { id: 'since', header: t('members.since'), width: 200, cell: row => <When at={row.since} /> },
      ]}
    />
  )
}
