import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { layersApi, metricsApi } from '../experiment-calls.ts'
import { numbersOf } from '../numbers.ts'

/** How many are held back from every experiment, and what all experiments together brought. */
export function HoldoutTab({ projectId }: { projectId: string }) {
  const { t } = useTranslation('grow/experiments')
  const result = useCall(layersApi.getHoldout, { query: { projectId } })
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{t('holdout.title')}</Header>}>
        <HoldoutForm key={result.data.revision} holdout={result.data} />
      </Container>
      <HoldoutReport projectId={projectId} />
    </SpaceBetween>
  )
}

interface HoldoutFormProps {
  holdout: { projectId: string; percent: number; revision: number }
}

function HoldoutForm({ holdout }: HoldoutFormProps) {
  const { t } = useTranslation('grow/experiments')
  const { projectId, revision } = holdout
  const [percent, setPercent] = useState(String(holdout.percent))
  const save = useAction(layersApi.putHoldout)
  const value = Number(percent)
  const isWrong = percent.trim() === '' || !(value >= 0 && value <= 20)
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('holdout.percent')}
        description={t('holdout.percentHint')}
        errorText={isWrong ? t('holdout.percentWrong') : undefined}
      >
        <Input
          type="number"
          value={percent}
          disabled={!may('experiments.run')}
          onChange={({ detail }) => setPercent(detail.value)}
        />
      </FormField>
      <Can call={layersApi.putHoldout}>
        <Button
          data-action="save"
          disabled={isWrong || value === holdout.percent}
          loading={save.isRunning}
          onClick={() => void save.run({ body: { projectId, percent: value, revision } })}
        >
          {t('save')}
        </Button>
      </Can>
    </SpaceBetween>
  )
}

function HoldoutReport({ projectId }: { projectId: string }) {
  const { t } = useTranslation('grow/experiments')
  const metrics = useCall(metricsApi.listMetrics, { query: { projectId, pageSize: 100 } })
  const [{ metric }, change] = usePageSearch(raw => ({
    metric: raw['metric'] === undefined ? '' : String(raw['metric']),
  }))
  const options = (metrics.data?.list ?? []).map(one => ({ value: one.metricId, label: one.name }))
  const chosen = options.find(one => one.value === metric) ?? options[0]
  return (
    <Container
      header={
        <Header variant="h2" description={t('holdout.reportText')}>
          {t('holdout.report')}
        </Header>
      }
    >
      {metrics.error ? (
        <ErrorState error={metrics.error} onRetry={() => void metrics.refetch()} />
      ) : chosen ? (
        <SpaceBetween size="m">
          <FormField label={t('holdout.metric')}>
            <div translate="no">
              <Select
                selectedOption={chosen}
                options={options}
                filteringType="auto"
                onChange={({ detail }) => change({ metric: detail.selectedOption.value ?? '' })}
              />
            </div>
          </FormField>
          <HoldoutNumbers key={chosen.value} projectId={projectId} metricId={chosen.value} />
        </SpaceBetween>
      ) : (
        metrics.data && <EmptyState title={t('metrics.empty')} text={t('metrics.emptyText')} />
      )}
    </Container>
  )
}

function HoldoutNumbers({ projectId, metricId }: { projectId: string; metricId: string }) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { whole, plain, change: changed, p } = numbersOf(i18n.resolvedLanguage)
  const result = useCall(layersApi.getHoldoutReport, { query: { projectId, metricId } })
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const { heldBack, others, change, added, days, completeThrough, sampledBy } = result.data
  const share = (one: typeof others) => t('holdout.mean', { mean: plain(one.mean), units: whole(one.units) })
  return (
    <SpaceBetween size="m">
      {change ? (
        <Alert type={change.p < 0.05 ? (change.absolute > 0 ? 'success' : 'warning') : 'info'}>
          {t(change.p < 0.05 ? 'holdout.differs' : 'holdout.same', {
            ...{
              change: changed(change.relative),
              low: plain(change.low),
              high: plain(change.high),
              p: p(change.p),
              days,
            },
          })}
        </Alert>
      ) : (
        <Alert type="info">{t('holdout.nothing')}</Alert>
      )}
      <KeyValuePairs
        columns={4}
        items={[
          { label: t('holdout.others'), value: share(others) },
          { label: t('holdout.heldBack'), value: share(heldBack) },
          { label: t('holdout.added'), value: added === null ? '–' : plain(added * sampledBy) },
          { label: t('completeThrough'), value: completeThrough === null ? '–' : <When at={completeThrough} /> },
        ]}
      />
      {sampledBy > 1 && <small className="lg-soft">{t('holdout.sampled', { count: sampledBy })}</small>}
    </SpaceBetween>
  )
}
