import { countryName } from '../../../../../console/shown.ts'
import './phased.css'
import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { isLive } from '../../phased/rules.ts'
import { phasedApi, type VersionView } from '../version-calls.ts'
import { HealthPanel } from './HealthPanel.tsx'
import { PhasedActions } from './PhasedActions.tsx'
import { PhasedHistory } from './PhasedHistory.tsx'
import { PhasedShare } from './PhasedShare.tsx'
import { toneOfPhase } from './phased-words.ts'
import { SpanStrip } from './SpanStrip.tsx'

const ReleaseChart = lazy(() => import('./ReleaseChart.tsx'))

const lookAgainMs = 30_000

/** How far a version has come that goes to some devices first, and what can be done with it now. */
export function PhasedPanel({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, state } = version
  const found = useCall(
    phasedApi.listPhasedChanges,
    { query: { versionId, pageSize: 100 } },
    { keepBefore: true, refetchInterval: state === 'PHASED' ? lookAgainMs : false },
  )
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const phased = found.data?.phased
  if (!found.data || !phased) return null
  const days = Math.ceil(phased.pauseLeftMs / 86_400_000)
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={phased.description ? <span translate="no">{phased.description}</span> : undefined}
          actions={<PhasedActions phased={phased} version={version} />}
        >
          {t('phased.title')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <StatusBadge tone={toneOfPhase[phased.state]} text={t(`phased.states.${phased.state}`)} />
        {phased.state === 'SUSPEND' && <Alert type="warning">{t('phased.pausedText', { count: days })}</Alert>}
        {phased.onlyOver !== null && <Alert type="info">{t('phased.onlyOver', { code: phased.onlyOver })}</Alert>}
        {phased.state === 'DRAFT' && <Alert type="info">{t('phased.draftText')}</Alert>}
        <PhasedShare phased={phased} isLive={isLive(phased.state)} />
        {phased.startAt !== null && (
          <SpaceBetween size="s">
            <SpanStrip phased={phased} changes={found.data.list} />
            <Suspense fallback={<StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}>
              <ReleaseChart phased={phased} changes={found.data.list} />
            </Suspense>
          </SpaceBetween>
        )}
        <HealthPanel phased={phased} />
        <KeyValuePairs
          columns={2}
          minColumnWidth={200}
          items={[
            { label: t('phased.sampling'), value: t(`phased.samplings.${phased.sampling}`) },
            { label: t('phased.newInstalls'), value: t(`phased.newInstallsOf.${phased.newInstalls}`) },
            ...(phased.manualPull ? [{ label: t('phased.byHand'), value: t('phased.manualPull') }] : []),
            ...(phased.endAt !== null && phased.endedAt === null
              ? [{ label: t('phased.endsAt'), value: <When at={phased.endAt} show="both" /> }]
              : []),
            ...(phased.countries.length > 0
              ? [{ label: t('phased.countries'), value: phased.countries.map(countryName).join(', ') }]
              : []),
            ...(phased.startAt === null
              ? []
              : [{ label: t('phased.started'), value: <When at={phased.startAt} show="both" /> }]),
            ...(phased.nextDayAt !== null && phased.state === 'RELEASE'
              ? [{ label: t('phased.nextDay'), value: <When at={phased.nextDayAt} show="both" /> }]
              : []),
            ...(phased.endedAt === null
              ? []
              : [{ label: t('phased.ended'), value: <When at={phased.endedAt} show="both" /> }]),
          ]}
        />
        {found.data.list.length > 0 && <PhasedHistory changes={found.data.list} />}
      </SpaceBetween>
    </Container>
  )
}
