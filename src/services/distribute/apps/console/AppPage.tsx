import './apps.css'
import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { useAppOnScreen } from '../../../../console/app-on-screen.ts'
import { Can } from '../../../../console/Can.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { ThingIcon } from '../../../../console/kit/ThingIcon.tsx'
import { usePageTitle } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { AppFacts } from './AppFacts.tsx'
import { api } from './app-calls.ts'
import { versionText } from './app-words.ts'
import { DeleteApp } from './DeleteApp.tsx'
import { EditApp } from './EditApp.tsx'
import { LatestPackages } from './LatestPackages.tsx'
import { NextStepBox } from './NextStepBox.tsx'
import { FieldVersions } from './overview/FieldVersions.tsx'
import { fieldCalls, testCalls } from './overview/overview-calls.ts'
import { PlacePanel } from './overview/PlacePanel.tsx'
import { RelationsPanel } from './overview/RelationsPanel.tsx'
import { usePictures } from './use-pictures.ts'
import { VersionCards } from './VersionCards.tsx'

export default function AppPage() {
  const { t } = useTranslation('distribute/apps')
  const appId = usePageParam('appId')
  const found = useCall(api.getApp, { query: { appId } })
  const app = found.data
  const pictures = usePictures([app?.iconObjectId ?? null])
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  usePageTitle(app?.name)
  useAppOnScreen(app)

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!app) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  const state =
    app.lifecycle === 'FROZEN' ? (
      <StatusBadge tone="bad" text={t('app.frozen')} />
    ) : app.shelf ? (
      <StatusBadge tone="good" text={t('app.onShelfAs', { version: versionText(app.shelf) })} />
    ) : (
      <StatusBadge tone="off" text={app.everOnShelf ? t('app.offShelf') : t('app.neverOnShelf')} />
    )

  return (
    <SpaceBetween size="l">
      <div className="apps-head">
        <ThingIcon name={app.name} size="large" url={app.iconObjectId ? pictures.get(app.iconObjectId) : undefined} />
        <div className="apps-head-text">
          <PageHeader
            title={app.name}
            description={
              <>
                {app.packageName ?? t('app.noPackageName')}
                <div>{state}</div>
              </>
            }
            actions={
              <>
                <Can call={fieldCalls.listFieldVersions}>
                  <Button href={hrefOf('/apps/$appId/field', { appId })}>{t('app.installs')}</Button>
                  <Button href={hrefOf('/apps/$appId/reach', { appId })}>{t('app.reach')}</Button>
                </Can>
                <Can may="comments.read">
                  <Button href={hrefOf('/apps/$appId/comments', { appId })}>{t('app.comments')}</Button>
                </Can>
                <Can call={testCalls.listTestVersions}>
                  <Button href={hrefOf('/apps/$appId/tests', { appId })}>{t('app.tests')}</Button>
                </Can>
                {app.packageType === 'ANDROID' && (
                  <Can may="signing.read">
                    <Button href={hrefOf('/apps/$appId/signing', { appId })}>{t('app.signing')}</Button>
                  </Can>
                )}
                <Can may="material.edit">
                  <Button href={hrefOf('/apps/$appId/material-tests', { appId })}>{t('app.materialTests')}</Button>
                  <Button href={hrefOf('/apps/$appId/immersive', { appId })}>{t('app.immersive')}</Button>
                </Can>
                <Can may="apiClients.read">
                  <Button href={hrefOf('/apps/$appId/oauth', { appId })}>{t('app.oauth')}</Button>
                </Can>
                {app.allowedActions.includes('edit') && (
                  <Button onClick={() => setOpen('edit')}>{t('action.edit')}</Button>
                )}
                {app.allowedActions.includes('delete') && (
                  <Button onClick={() => setOpen('delete')}>{t('action.delete')}</Button>
                )}
              </>
            }
          />
        </div>
      </div>
      {app.frozenReason !== null && (
        <Alert type="error" header={t('app.frozenTitle')}>
          {app.frozenReason}
        </Alert>
      )}
      <NextStepBox app={app} />
      <VersionCards app={app} />
      <FieldVersions app={app} />
      <LatestPackages app={app} />
      <AppFacts app={app} />
      <RelationsPanel app={app} />
      <PlacePanel app={app} />
      {open === 'edit' && <EditApp app={app} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteApp app={app} onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}
