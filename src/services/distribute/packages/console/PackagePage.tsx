import './packages.css'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { ThingIcon } from '../../../../console/kit/ThingIcon.tsx'
import { dismiss } from '../../../../console/notify.ts'
import { useCrumbName, usePageTitle } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { Certificates } from './detail/Certificates.tsx'
import { Comparison } from './detail/Comparison.tsx'
import { Contents } from './detail/Contents.tsx'
import { Devices } from './detail/Devices.tsx'
import { Findings } from './detail/Findings.tsx'
import { FolderSizes } from './detail/FolderSizes.tsx'
import { ForDevices } from './detail/ForDevices.tsx'
import { KindFacts } from './detail/KindFacts.tsx'
import { ManifestFacts } from './detail/ManifestFacts.tsx'
import { PackageActions } from './detail/PackageActions.tsx'
import { Permissions } from './detail/Permissions.tsx'
import { Privacy } from './detail/Privacy.tsx'
import { api, appCalls, madeCalls } from './package-calls.ts'
import { isProcessing, nameOf, noticeOf, toneOf } from './package-words.ts'
import { TaskProgress } from './TaskProgress.tsx'
import { usePictures } from './use-pictures.ts'

/** Everything the bytes of a package say, and whether the store takes it. */
export default function PackagePage() {
  const { t } = useTranslation('distribute/packages')
  const appId = usePageParam('appId')
  const pkgId = usePageParam('pkgId')
  const found = useCall(api.getPackage, { query: { pkgId } })
  const one = found.data
  const pictures = usePictures([one?.iconObjectId ?? null])
  const app = useCall(appCalls.getApp, { query: { appId } })
  usePageTitle(one && nameOf(one))
  useCrumbName('/apps/$appId', app.data?.name)
  useEffect(() => dismiss(noticeOf(pkgId)), [pkgId])

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!one) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  const isRead = one.versionCode !== null
  return (
    <SpaceBetween size="l">
      <div className="packages-head">
        <ThingIcon
          name={one.label ?? one.fileName}
          size="large"
          url={one.iconObjectId ? pictures.get(one.iconObjectId) : undefined}
        />
        <div className="packages-head-text">
          <PageHeader
            title={nameOf(one)}
            description={one.fileName}
            status={<StatusBadge tone={toneOf[one.state]} text={t(`states.${one.state}`)} />}
            actions={<PackageActions one={one} />}
          />
        </div>
      </div>
      {isProcessing(one.state) && <TaskProgress taskId={one.taskId} label={t('task.reading')} />}
      {one.findings.length > 0 && <Findings one={one} />}
      {one.state === 'READY' && (one.kind === 'APK' || one.kind === 'AAB') && (
        <Can call={madeCalls.getResignInfo}>
          <ForDevices one={one} />
        </Can>
      )}
      <ManifestFacts one={one} />
      <KindFacts one={one} />
      {one.folders.length > 0 && <FolderSizes folders={one.folders} />}
      {isRead && one.permissions.length + one.features.length > 0 && (
        <Permissions permissions={one.permissions} features={one.features} />
      )}
      {one.certificates.length > 0 && <Certificates one={one} />}
      <Contents one={one} />
      {one.hasPrivacyManifest && <Privacy one={one} />}
      {isRead && <Comparison appId={appId} one={one} />}
      {isRead && <Devices one={one} />}
    </SpaceBetween>
  )
}
