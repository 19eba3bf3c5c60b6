import './immersive.css'
import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { useAppOnScreen } from '../../../../console/app-on-screen.ts'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { ownAddress } from '../../../../console/own-address.ts'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { api, appCalls, type Picture, tones } from './immersive-calls.ts'
import { PhonePreview } from './PhonePreview.tsx'
import { PictureEditor } from './PictureEditor.tsx'

/** The large picture behind an app's page in the store: the one being prepared, and the one that is shown. */
export default function ImmersivePage() {
  const { t } = useTranslation('distribute/distribution-view')
  const appId = usePageParam('appId')
  const app = useCall(appCalls.getApp, { query: { appId } })
  const found = useCall(api.getImmersive, { query: { appId } })
  useCrumbName('/apps/$appId', app.data?.name)
  useAppOnScreen(app.data)

  const failed = [app, found].find(one => one.error)
  if (failed?.error) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!app.data || !found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { name } = app.data
  const picture = found.data
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('title')}
        description={
          <>
            <span translate="no">{name}</span>
            <div>{t('text')}</div>
          </>
        }
        status={<StatusBadge tone={tones[picture.state]} text={t(`states.${picture.state}`)} />}
      />
      {picture.state === 'REJECTED' && picture.note !== null && (
        <Alert type="error" header={t('rejected.title')}>
          {picture.note}
        </Alert>
      )}
      {picture.state === 'AUDITING' && (
        <Alert type="info" header={t('auditing.title')}>
          {t('auditing.text')} <When at={picture.submittedAt} />
        </Alert>
      )}
      <PictureEditor key={picture.revision} name={name} picture={picture} />
      <Shown name={name} passed={picture.passed} />
    </SpaceBetween>
  )
}

function Shown({ name, passed }: { name: string; passed: Picture['passed'] }) {
  const { t } = useTranslation('distribute/distribution-view')
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            passed && (
              <>
                {t('shown.since')} <When at={passed.at} show="both" />
              </>
            )
          }
        >
          {t('shown.title')}
        </Header>
      }
    >
      {passed ? (
        <PhonePreview name={name} {...passed} src={ownAddress(passed.pictureUrl)} label={t('shown.label')} />
      ) : (
        <EmptyState title={t('shown.none')} text={t('shown.noneText')} />
      )}
    </Container>
  )
}
