import './recordal.css'
import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { useAppOnScreen } from '../../../../console/app-on-screen.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { Differences } from './Differences.tsx'
import { FileDialog } from './FileDialog.tsx'
import { FilingFacts } from './FilingFacts.tsx'
import { PackageValues } from './PackageValues.tsx'
import { api, appCalls } from './recordal-calls.ts'
import { tones } from './recordal-words.ts'

/** What an app files with the Chinese authority, and whether the store takes it. */
export default function RecordalPage() {
  const { t } = useTranslation('distribute/recordal')
  const appId = usePageParam('appId')
  const app = useCall(appCalls.getApp, { query: { appId } })
  const filing = useCall(api.queryCheckRecordal, { body: { appId } })
  const [isFiling, setFiling] = useState(false)
  useCrumbName('/apps/$appId', app.data?.name)
  useAppOnScreen(app.data)

  const failed = [app, filing].find(one => one.error)
  if (failed?.error) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  const one = filing.data
  if (!app.data || !one) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('title')}
        description={
          <>
            <span translate="no">{app.data.name}</span>
            <div>{t('text')}</div>
          </>
        }
        status={<StatusBadge tone={tones[one.state]} text={t(`states.${one.state}`)} />}
        actions={
          one.canFile &&
          one.actual && (
            <Button variant="primary" data-action="checkRecordal" onClick={() => setFiling(true)}>
              {one.state === 'NONE' ? t('file') : t('fileAnew')}
            </Button>
          )
        }
      />
      {one.note !== null && (
        <Alert type={one.state === 'MATCH' ? 'success' : 'warning'} header={t('note')}>
          {one.note}
        </Alert>
      )}
      {one.state === 'CHECKING' && <Alert type="info">{t('checking')}</Alert>}
      {one.actual && !one.actual.isNetworked && one.state !== 'MATCH' && <Alert type="info">{t('offlineHint')}</Alert>}
      <Differences differences={one.differences} />
      {one.state !== 'NONE' && (
        <Container header={<Header variant="h2">{t('filed')}</Header>}>
          <FilingFacts one={one} />
        </Container>
      )}
      <PackageValues actual={one.actual} />
      {isFiling && <FileDialog one={one} onClose={() => setFiling(false)} />}
    </SpaceBetween>
  )
}
