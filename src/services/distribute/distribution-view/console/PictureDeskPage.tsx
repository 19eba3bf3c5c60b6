import './immersive.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { ZoneChoice } from '../../../../console/kit/ZoneChoice.tsx'
import { notify } from '../../../../console/notify.ts'
import { ownAddress } from '../../../../console/own-address.ts'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { type ZoneId, zoneIds } from '../../../../kernel/zones.ts'
import type { immersiveDesk } from '../immersive/desk/contract.ts'
import { deskCalls } from './immersive-calls.ts'
import { PhonePreview } from './PhonePreview.tsx'
import { RefuseDialog } from './RefuseDialog.tsx'

type Waiting = Answer<(typeof immersiveDesk.calls)['listImmersive']>['list'][number]

const readZone = (raw: Record<string, unknown>): { zone?: ZoneId | undefined } => ({
  zone: zoneIds.find(zone => zone === raw['zone']),
})

/** Large pictures that wait for the store, the longest waiting first. */
export default function PictureDeskPage() {
  const { t } = useTranslation('distribute/distribution-view')
  const [{ zone }, change] = usePageSearch(readZone)
  const at = zone ? { zone } : {}
  const found = useCall(deskCalls.listImmersive, { query: { pageSize: 100 } }, at)
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('desk.title')}
        description={t('desk.text')}
        actions={<ZoneChoice zone={zone} onChoose={chosen => change({ zone: chosen })} />}
      />
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.error && !found.data && <StatusIndicator type="loading">{t('loading')}</StatusIndicator>}
      {found.data?.list.length === 0 && <EmptyState level="h2" title={t('desk.empty')} text={t('desk.emptyText')} />}
      <div className="immersive-desk">
        {found.data?.list.map(one => (
          <OnDesk key={one.appId} one={one} at={at} />
        ))}
      </div>
    </SpaceBetween>
  )
}

function OnDesk({ one, at }: { one: Waiting; at: { zone?: ZoneId } }) {
  const { t } = useTranslation('distribute/distribution-view')
  const [isRefusing, setRefusing] = useState(false)
  const { appId, appName, revision, allowedActions } = one
  const decide = useAction(deskCalls.decideImmersive, {
    onDone: () => notify({ tone: 'success', text: t('desk.passed', { name: appName }) }),
  })
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            <>
              {one.packageName ?? one.appId} · <When at={one.submittedAt} />
            </>
          }
        >
          <span translate="no">{appName}</span>
        </Header>
      }
    >
      <SpaceBetween size="m">
        <PhonePreview
          name={appName}
          {...one}
          src={one.pictureUrl === null ? null : ownAddress(one.pictureUrl)}
          label={t('preview.label')}
        />
        <Can call={deskCalls.decideImmersive}>
          <SpaceBetween direction="horizontal" size="xs">
            {allowedActions.includes('approve') && (
              <Button
                data-action="approve"
                variant="primary"
                loading={decide.isRunning}
                onClick={() => void decide.run({ body: { appId, verdict: 'APPROVE', revision } }, at)}
              >
                {t('desk.approve')}
              </Button>
            )}
            {allowedActions.includes('reject') && (
              <Button data-action="reject" onClick={() => setRefusing(true)}>
                {t('desk.reject')}
              </Button>
            )}
          </SpaceBetween>
        </Can>
      </SpaceBetween>
      {isRefusing && <RefuseDialog one={one} at={at} onClose={() => setRefusing(false)} />}
    </Container>
  )
}
