import './packages.css'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { Comparison } from './detail/Comparison.tsx'
import { api, appCalls } from './package-calls.ts'
import { nameOf } from './package-words.ts'

/** Two packages side by side; both stand in the address, so that the page can be sent to somebody. */
export default function DifferencePage() {
  const { t } = useTranslation('distribute/packages')
  const appId = usePageParam('appId')
  const pkgId = usePageParam('pkgId')
  const found = useCall(api.getPackage, { query: { pkgId } })
  const app = useCall(appCalls.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  useCrumbName('/apps/$appId/packages/$pkgId', found.data && nameOf(found.data))
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('compare.pageTitle', { name: nameOf(found.data) })} description={found.data.fileName} />
      <Comparison appId={appId} one={found.data} />
    </SpaceBetween>
  )
}
