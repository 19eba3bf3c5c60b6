import Alert from '@cloudscape-design/components/alert'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { notedRefusal } from '../../../../../console/error-text.ts'
import { BulkReport } from '../../../../../console/kit/BulkReport.tsx'
import { untilOver } from '../../../../../console/kit/bulk-words.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { bulkApi } from '../version-calls.ts'
import { nameOf, ns } from '../version-words.ts'

/** How far an action on many versions is, and what became of each. */
export default function BulkPage() {
  const bulkId = usePageParam('bulkId')
  const { t } = useTranslation('distribute/versions')
  const found = useCall(bulkApi.getBulk, { query: { bulkId } }, untilOver)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  const { action, reason } = found.data
  return (
    <BulkReport
      report={found.data}
      title={t('bulk.reportTitle', { action: t(`bulk.actions.${action}`) })}
      allHref={hrefOf('/bulk')}
      allTitle={t('bulk.title')}
      things={[
        {
          id: 'app',
          header: t('bulk.app'),
          isName: true,
          cell: ({ appId, versionId, appName }) => (
            <Link href={hrefOf('/apps/$appId/version/$versionId', { appId, versionId })}>{appName || appId}</Link>
          ),
        },
        { id: 'version', header: t('bulk.version'), cell: item => nameOf(item) },
      ]}
      noteOf={item => (item.state ? t(`state.${item.state}`) : notedRefusal(ns, item.code, item.message))}
      rowKey={item => item.versionId}
    >
      {reason && (
        <Alert type="info" header={t('bulk.reason')}>
          {reason}
        </Alert>
      )}
    </BulkReport>
  )
}
