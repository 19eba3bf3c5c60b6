import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { notedRefusal } from '../../../../../console/error-text.ts'
import { BulkReport } from '../../../../../console/kit/BulkReport.tsx'
import { untilOver } from '../../../../../console/kit/bulk-words.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { appsApi, peopleApi } from '../beta-calls.ts'
import { ns } from '../beta-words.ts'

const badInput = 200_000_001

/** What became of each line of a file. */
export default function ImportPage() {
  const { t } = useTranslation('distribute/beta-test')
  const appId = usePageParam('appId')
  const bulkId = usePageParam('bulkId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  const found = useCall(peopleApi.getImport, { query: { bulkId } }, untilOver)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  return (
    <BulkReport
      report={found.data}
      title={t('import.reportTitle')}
      allHref={hrefOf('/apps/$appId/tester-imports', { appId })}
      allTitle={t('import.all')}
      things={[
        { id: 'line', header: t('import.line'), cell: item => item.line },
        {
          id: 'account',
          header: t('people.account'),
          isName: true,
          cell: item => <span translate="no">{item.account}</span>,
        },
        {
          id: 'group',
          header: t('groups.one'),
          cell: item => <span translate="no">{item.groupName}</span>,
        },
      ]}
      noteOf={item => (item.code === badInput ? t('import.noAddress') : notedRefusal(ns, item.code, item.message))}
      rowKey={item => String(item.position)}
    />
  )
}
