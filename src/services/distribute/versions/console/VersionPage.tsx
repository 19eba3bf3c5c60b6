import './version.css'
import Alert from '@cloudscape-design/components/alert'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { useCrumbName, usePageTitle } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { isEditable, isLocked, type VersionState } from '../life/rules.ts'
import { ContentPanel } from './ContentPanel.tsx'
import { DeclarePanel } from './declare/DeclarePanel.tsx'
import { LifePanel } from './LifePanel.tsx'
import { ListingGlance } from './ListingGlance.tsx'
import { NextVersion } from './NextVersion.tsx'
import { ForwardPanel } from './phased/ForwardPanel.tsx'
import { PhasedPanel } from './phased/PhasedPanel.tsx'
import { StatePanel } from './StatePanel.tsx'
import { VersionActions } from './VersionActions.tsx'
import { VersionHistory } from './VersionHistory.tsx'
import { api, appsApi, type VersionAnswer, type VersionView } from './version-calls.ts'
import { nameOf, toneOf } from './version-words.ts'

/** With the store things happen by themselves, so the page looks again. */
function lookAgain(state: VersionState | undefined): number | false {
  if (state === undefined) return false
  return state === 'PRECHECK' ? 2000 : isLocked(state) ? 15_000 : false
}

/** Its release is phased, or may have been once. */
const hadPhases = ({ releasePhase, state, onShelfAt }: VersionView) =>
  releasePhase !== 0 || (onShelfAt !== null && state !== 'ON_SHELF')

export default function VersionPage() {
  const appId = usePageParam('appId')
  const { versionId } = useParams({ strict: false }) as { versionId?: string }
  const { t } = useTranslation('distribute/versions')
  const found = useCall(
    api.getVersion,
    { query: { appId, include: 'readiness', ...(versionId && { versionId }) } },
    {
      refetchInterval: query => {
        const version = (query.state.data as VersionAnswer | undefined)?.version
        return version?.isSubmitQueued ? 2000 : lookAgain(version?.state)
      },
    },
  )
  const version = found.data?.version
  const app = useCall(appsApi.getApp, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  usePageTitle(version && version.versionCode !== null ? nameOf(version) : undefined)

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  if (!version) return <EmptyState level="h1" title={t('version.none')} text={t('version.noneText')} />
  const { data } = found
  const other = [data.open, data.phased, data.onShelf].find(one => one && one.versionId !== version.versionId)
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={version.versionCode === null ? t('version.fresh') : t('version.title', { name: nameOf(version) })}
        status={<StatusBadge tone={toneOf[version.state]} text={t(`state.${version.state}`)} />}
        actions={
          <>
            <VersionActions version={version} readiness={data.readiness ?? []} />
            {!data.open && <NextVersion appId={appId} />}
          </>
        }
      />
      {other && (
        <Alert
          type="info"
          action={
            <Link
              variant="primary"
              href={hrefOf('/apps/$appId/version/$versionId', { appId, versionId: other.versionId })}
            >
              {t('version.seeOther')}
            </Link>
          }
        >
          {data.phased?.versionId === other.versionId
            ? t('version.phasedToo', { name: nameOf(data.phased) })
            : data.onShelf?.versionId === other.versionId
              ? t('version.onShelfToo', { name: nameOf(data.onShelf) })
              : t('version.openToo', { state: t(`state.${other.state}`) })}
        </Alert>
      )}
      {version.state === 'ROLLED_BACK' && <ForwardPanel version={version} />}
      <LifePanel version={version} />
      {hadPhases(version) && <PhasedPanel version={version} />}
      <div className="version-columns">
        <div className="version-column">
          <StatePanel version={version} readiness={data.readiness ?? []} />
          <ContentPanel version={version} shown={['package', 'release']} />
        </div>
        <div className="version-column">
          <ListingGlance version={version} languages={data.languages} />
          <ContentPanel version={version} shown={['countries', 'review']} />
          {isEditable(version.state) && <DeclarePanel appId={appId} />}
        </div>
      </div>
      <VersionHistory appId={appId} shownId={version.versionId} />
    </SpaceBetween>
  )
}
