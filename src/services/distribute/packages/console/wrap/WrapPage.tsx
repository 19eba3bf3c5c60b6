import Container from '@cloudscape-design/components/container'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { useGo, usePageParam } from '../../../../../console/address.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { appCalls } from '../package-calls.ts'
import { WrapForm } from './WrapForm.tsx'

/** Makes a quick app around a web page. */
export default function WrapPage() {
  const { t } = useTranslation('distribute/packages')
  const appId = usePageParam('appId')
  const go = useGo()
  const app = useCall(appCalls.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  if (app.error) return <ErrorState error={app.error} onRetry={() => void app.refetch()} />
  if (!app.data) return <PendingPage />
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('wrap.title')} description={t('wrap.text')} />
      <Container>
        <WrapForm
          app={app.data}
          onMade={({ pkgId }) => go('/apps/$appId/packages/$pkgId', { appId, pkgId })}
          onCancel={() => go('/apps/$appId/packages', { appId })}
        />
      </Container>
    </SpaceBetween>
  )
}
