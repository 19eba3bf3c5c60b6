import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ExperimentView } from '../../contract.ts'
import { analysisApi } from '../experiment-calls.ts'
import { numbersOf } from '../numbers.ts'
import { MetricTable } from './MetricTable.tsx'

/** The results for each value of a property of the exposure; chances are corrected over all of them. */
export function SegmentsTab({ experiment }: { experiment: ExperimentView }) {
  const { t } = useTranslation('grow/experiments')
  const { segments } = experiment.design
  const [{ dim }, change] = usePageSearch(raw => ({
    dim: segments.find(one => one === raw['dim']) ?? segments[0] ?? '',
  }))
  if (dim === '') return <EmptyState title={t('segments.none')} text={t('segments.noneText')} />
  return (
    <SpaceBetween size="l">
      <FormField label={t('segments.by')}>
        <div translate="no">
          <Select
            selectedOption={{ value: dim, label: dim }}
            options={segments.map(value => ({ value, label: value }))}
            onChange={({ detail }) => change({ dim: detail.selectedOption.value ?? dim })}
          />
        </div>
      </FormField>
      <SegmentsOf experiment={experiment} dim={dim} />
    </SpaceBetween>
  )
}

function SegmentsOf({ experiment, dim }: { experiment: ExperimentView; dim: string }) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { whole, p } = numbersOf(i18n.resolvedLanguage)
  const { experimentId, design } = experiment
  const result = useCall(analysisApi.getResults, { params: { experimentId }, query: { dim } })
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const names = new Map(design.variants.map(one => [one.key, one.name]))
  const { segments, engine } = result.data
  if (segments.length === 0) return <EmptyState title={t('report.none')} text={t('report.noneText')} />
  return (
    <SpaceBetween size="l">
      {segments.map(one => (
        <Container
          key={one.value ?? ''}
          header={
            <Header
              variant="h3"
              counter={`(${whole(one.units)})`}
              info={
                one.isSplitHealthy ? undefined : (
                  <StatusBadge tone="bad" text={t('report.splitBad', { p: p(one.splitP) })} />
                )
              }
            >
              <span translate="no">{one.value ?? t('segments.unknown')}</span>
            </Header>
          }
        >
          <MetricTable metrics={one.metrics} names={names} engine={engine} alpha={design.alpha} />
        </Container>
      ))}
    </SpaceBetween>
  )
}
