import './packages.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { isWrapped } from '../rules.ts'
import { PackageTable } from './PackageTable.tsx'
import { api, appCalls, wrappedCalls } from './package-calls.ts'
import { UploadBox } from './upload/UploadBox.tsx'

export default function PackagesPage() {
  const { t } = useTranslation('distribute/packages')
  const appId = usePageParam('appId')
  const app = useCall(appCalls.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  if (app.error) return <ErrorState error={app.error} onRetry={() => void app.refetch()} />
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={app.data ? t('packages.title', { app: app.data.name }) : t('packages.plainTitle')}
        description={t('packages.text')}
        actions={
          <>
            {app.data && isWrapped(app.data.packageType) && (
              <Can call={wrappedCalls.wrapPage}>
                <Button href={hrefOf('/apps/$appId/packages/wrap', { appId })}>{t('wrap.title')}</Button>
              </Can>
            )}
            <Button href={hrefOf('/apps/$appId/version', { appId })}>{t('packages.toVersion')}</Button>
          </>
        }
      />
      {app.data && app.data.lifecycle === 'ACTIVE' && (
        <Can call={api.createPackage}>
          <UploadBox appId={appId} packageType={app.data.packageType} />
        </Can>
      )}
      <PackageTable appId={appId} />
    </SpaceBetween>
  )
}
