import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { BulkList } from '../../../../../console/kit/BulkList.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { appsApi, peopleApi } from '../beta-calls.ts'

/** The files of people that were taken in. */
export default function ImportsPage() {
  const { t } = useTranslation('distribute/beta-test')
  const appId = usePageParam('appId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const table = useTableState({ id: 'testerImports' })
  const result = useCall(peopleApi.listImports, { query: { appId, ...table.page } }, { keepBefore: true })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('import.listTitle')} description={t('import.listText')} />
      <BulkList
        title={t('import.listTitle')}
        table={table}
        result={result}
        nameOf={() => t('import.one')}
        hrefOf={({ bulkId }) => hrefOf('/apps/$appId/tester-imports/$bulkId', { appId, bulkId })}
        empty={{ title: t('import.empty'), text: t('import.emptyText') }}
      />
    </SpaceBetween>
  )
}
