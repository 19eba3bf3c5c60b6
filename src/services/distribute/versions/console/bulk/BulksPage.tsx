import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { BulkList } from '../../../../../console/kit/BulkList.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { bulkApi } from '../version-calls.ts'

/** Every action on many versions of the team, the newest first. */
export default function BulksPage() {
  const { t } = useTranslation('distribute/versions')
  const table = useTableState({ id: 'bulks' })
  const result = useCall(bulkApi.listBulks, { query: table.page }, { keepBefore: true, refetchInterval: 15_000 })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('bulk.title')} description={t('bulk.text')} />
      <BulkList
        title={t('bulk.title')}
        table={table}
        result={result}
        nameOf={row => t(`bulk.actions.${row.action}`)}
        hrefOf={({ bulkId }) => hrefOf('/bulk/$bulkId', { bulkId })}
        empty={{ title: t('bulk.empty'), text: t('bulk.emptyText') }}
      />
    </SpaceBetween>
  )
}
