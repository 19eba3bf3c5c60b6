import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { BulkList } from '../../../../console/kit/BulkList.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { useCall } from '../../../../console/use-call.ts'
import { bulkApi } from './team-calls.ts'

/** Every action on many members of the team, the newest first. */
export default function BulksPage() {
  const { t } = useTranslation('ground/teams')
  const table = useTableState({ id: 'member-bulks' })
  const result = useCall(bulkApi.listMemberBulks, { query: table.page }, { keepBefore: true, refetchInterval: 15_000 })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('bulk.all')} description={t('bulk.allText')} />
      <BulkList
        title={t('bulk.all')}
        table={table}
        result={result}
        nameOf={row => t(`bulk.actions.${row.action}`)}
        hrefOf={({ bulkId }) => hrefOf('/team/bulk/$bulkId', { bulkId })}
        empty={{ title: t('bulk.empty'), text: t('bulk.emptyText') }}
      />
    </SpaceBetween>
  )
}
