import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { toneOfBulk } from './bulk-words.ts'
import { bulkApi } from './team-calls.ts'

/** Every action on many members of the team, the newest first. */
export default function BulksPage() {
  const { t } = useTranslation('ground/teams')
  const table = useTableState({ id: 'member-bulks' })
  const result = useCall(bulkApi.listMemberBulks, { query: table.page }, { keepBefore: true, refetchInterval: 15_000 })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('bulk.all')} description={t('bulk.allText')} />
      <DataTable
        title={t('bulk.all')}
        table={table}
        result={result}
        rowKey={row => row.bulkId}
        rowName={row => t(`bulk.actions.${row.action}`)}
        empty={{ title: t('bulk.empty'), text: t('bulk.emptyText') }}
        columns={[
          {
            id: 'action',
            header: t('bulk.action'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <Link href={hrefOf('/team/bulk/$bulkId', { bulkId: row.bulkId })}>
                {`${t(`bulk.actions.${row.action}`)} (${row.total})`}
              </Link>
            ),
          },
          {
            id: 'state',
            header: t('members.status'),
            cell: row => <StatusBadge tone={toneOfBulk[row.state]} text={t(`bulk.states.${row.state}`)} />,
          },
          { id: 'done', header: t('bulk.results.DONE'), cell: row => row.done },
          { id: 'refused', header: t('bulk.results.REFUSED'), cell: row => row.refused },
          { id: 'by', header: t('bulk.by'), cell: row => <span translate="no">{row.createdBy ?? '–'}</span> },
          { id: 'at', header: t('bulk.at'), cell: row => <When at={row.createdAt} /> },
        ]}
      />
    </SpaceBetween>
  )
}
