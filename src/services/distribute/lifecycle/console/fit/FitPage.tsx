import '../lifecycle.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useCrumbName } from '../../../../../console/page-title.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { verdictOf } from '../../rules.ts'
import { api, appCalls, type DetectionView, ruleName, toneOfVerdict } from '../lifecycle-calls.ts'
import { AlphaRating } from './AlphaRating.tsx'

/** For which devices an app is fit, and what its team thinks of it. */
export default function FitPage() {
  const appId = usePageParam('appId')
  const { t } = useTranslation('distribute/lifecycle')
  const app = useCall(appCalls.getApp, { query: { appId } })
  const fit = useCall(api.getFit, { params: { appId } })
  const act = useAction(api.detectFit)
  useCrumbName('/apps/$appId', app.data?.name)
  const failed = [app, fit].find(one => one.error)
  if (failed?.error) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!app.data || !fit.data) return <PendingPage />
  const { detection } = fit.data
  const run = (
    <Can call={api.detectFit}>
      <Button data-action="detect-fit" loading={act.isRunning} onClick={() => void act.run({ params: { appId } })}>
        {t('fit.verb')}
      </Button>
    </Can>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('fit.title')} description={<span translate="no">{app.data.name}</span>} actions={run} />
      <Container
        header={
          <Header variant="h2" description={detection && <When at={detection.createdAt} />}>
            {t('fit.devices')}
          </Header>
        }
      >
        {detection ? <Devices detection={detection} /> : <EmptyState title={t('fit.none')} text={t('fit.noneText')} />}
      </Container>
      <AlphaRating appId={appId} />
    </SpaceBetween>
  )
}

function Devices({ detection }: { detection: DetectionView }) {
  const { t } = useTranslation('distribute/lifecycle')
  return (
    <ul className="lifecycle-cards">
      {detection.subjects.map((device, index) => {
        const hits = detection.hits.filter(hit => hit.index === index)
        const verdict = verdictOf(hits)
        return (
          <li key={device} data-device={device}>
            <h3>{t(`devices.${device}`)}</h3>
            <StatusBadge tone={toneOfVerdict[verdict]} text={t(`fits.${verdict}`)} />
            {hits.map(hit => (
              <p key={`${hit.rule} ${hit.seen}`}>
                {ruleName(hit.rule)}
                <br />
                <span className="lg-soft" translate="no">
                  {hit.seen}
                </span>
              </p>
            ))}
          </li>
        )
      })}
    </ul>
  )
}
