import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { ExportMenu } from '../../../../../console/kit/ExportMenu.tsx'
import { ProgressOfJob } from '../../../../../console/kit/ProgressOfJob.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { queryClient, useCall } from '../../../../../console/use-call.ts'
import { useEndOfJob } from '../../../../../console/use-end-of-job.ts'
import type { ReportView } from '../../analysis/contract.ts'
import type { ExperimentView } from '../../contract.ts'
import { type Engine, engines } from '../../rules.ts'
import { analysisApi, experimentsApi } from '../experiment-calls.ts'
import { numbersOf } from '../numbers.ts'
import { CourseChart } from './CourseChart.tsx'
import { MetricTable } from './MetricTable.tsx'

const changing: readonly unknown[] = [
  ...[experimentsApi.getExperiment.callName, analysisApi.getReport.callName, analysisApi.getResults.callName],
]
const forgetNumbers = () => queryClient.invalidateQueries({ predicate: query => changing.includes(query.queryKey[1]) })

/** What an experiment shows: what to do and why, every metric with its interval, and how it came about. */
export function ReportTab({ experiment }: { experiment: ExperimentView }) {
  const { t } = useTranslation('grow/experiments')
  const { experimentId, design } = experiment
  const params = { experimentId }
  const [{ engine }, change] = usePageSearch(raw => ({
    engine: engines.find(one => one === raw['engine']) ?? design.engine,
  }))
  const report = useCall(analysisApi.getReport, { params, query: { engine } }, { keepBefore: true })
  const work = useCall(analysisApi.getAnalysis, { params })
  const analyse = useAction(analysisApi.analyseExperiment)
  useEndOfJob(work.data?.jobId, work.data?.state, () => void forgetNumbers())
  const isWorking = work.data?.state === 'waiting' || work.data?.state === 'running'
  if (report.error) return <ErrorState error={report.error} onRetry={() => void report.refetch()} />
  if (!report.data) return <PendingPage />
  const { results, courses } = report.data
  const names = new Map(design.variants.map(one => [one.key, one.name]))
  const refresh = (
    <Can call={analysisApi.analyseExperiment}>
      <Button
        data-action="analyse"
        disabled={isWorking}
        loading={analyse.isRunning}
        onClick={() => void analyse.run({ params })}
      >
        {t('report.analyse')}
      </Button>
    </Can>
  )
  return (
    <SpaceBetween size="l">
      {isWorking && (
        <ProgressOfJob
          label={t('report.analysing')}
          call={analysisApi.getAnalysis}
          input={{ params }}
          read={({ state, percent, step, problem }) => ({
            ...{ state: state === 'none' ? 'done' : state, percent },
            ...(problem !== null ? { text: problem } : step !== null && { text: t(`jobSteps.${step}`) }),
          })}
        />
      )}
      {results.queryId === null ? (
        <EmptyState title={t('report.none')} text={t('report.noneText')} action={refresh} />
      ) : (
        <SpaceBetween size="l">
          <Decision report={report.data} names={names} />
          <Numbers report={report.data} names={names} />
          <Container
            header={
              <Header
                variant="h2"
                description={t(`engineHints.${engine}`)}
                actions={
                  <div className="lg-actions">
                    <SegmentedControl
                      label={t('plan.engine')}
                      selectedId={engine}
                      options={engines.map(id => ({ id, text: t(`engines.${id}`) }))}
                      onChange={({ detail }) => change({ engine: detail.selectedId as Engine })}
                    />
                    <ExportMenu ask={wish => analysisApi.exportReport.raw({ params, query: { engine, ...wish } })} />
                    {refresh}
                  </div>
                }
              >
                {t('report.results')}
              </Header>
            }
          >
            <MetricTable metrics={results.metrics} names={names} engine={engine} alpha={design.alpha} />
          </Container>
          {courses.map(one => {
            const metric = results.metrics.find(two => two.metricId === one.metricId)
            const title = `${metric?.name ?? ''} · ${names.get(one.variant) ?? one.variant}`
            return (
              <Container key={`${one.metricId} ${one.variant}`} header={<Header variant="h3">{title}</Header>}>
                <CourseChart points={one.cumulative} label={t('report.courseOf', { name: title })} />
                <ExpandableSection headerText={t('report.novelty')}>
                  <p className="lg-soft">{t('report.noveltyText')}</p>
                  <CourseChart points={one.daily} label={t('report.noveltyOf', { name: title })} />
                </ExpandableSection>
              </Container>
            )
          })}
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}

interface PartProps {
  report: ReportView
  names: ReadonlyMap<string, string>
}

const alerts = {
  collecting: 'info',
  noData: 'warning',
  unhealthy: 'error',
  daysLeft: 'info',
  shipNow: 'success',
  rollBackNow: 'error',
  readyForReview: 'info',
} as const

/** What should be done now, in plain words. */
function Decision({ report, names }: PartProps) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { whole, p } = numbersOf(i18n.resolvedLanguage)
  const { status, variant, reasons, daysLeft, days, minDays, results } = report
  const name = variant === null ? '' : (names.get(variant) ?? variant)
  const values = {
    ...{ name, count: daysLeft ?? 0, minDays, days: whole(Math.floor(days)), p: p(results.srm?.p ?? null) },
    multiple: whole(results.multipleExposures),
  }
  return (
    <Alert type={alerts[status]} header={t(`decisions.${status}`, values)}>
      <ul>
        {reasons.map(reason => (
          <li key={reason}>{t(`reasons.${reason}`, values)}</li>
        ))}
      </ul>
      {status === 'unhealthy' && <p>{t('report.noShip')}</p>}
    </Alert>
  )
}

function Numbers({ report, names }: PartProps) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { whole, p } = numbersOf(i18n.resolvedLanguage)
  const { results } = report
  const { srm, leftOut, multipleExposures, completeThrough, analysedAt } = results
  const left = multipleExposures + leftOut.earlier + leftOut.paused + leftOut.unknown
  return (
    <Container>
      <KeyValuePairs
        columns={4}
        items={[
          ...results.variants.map(one => ({
            label: t('report.unitsOf', { name: names.get(one.key) ?? one.key, weight: one.weight }),
            value: whole(one.units),
          })),
          {
            label: t('report.split'),
            value: srm ? t(srm.isHealthy ? 'report.splitGood' : 'report.splitBad', { p: p(srm.p) }) : '–',
          },
          {
            label: t('report.leftOut'),
            value: t('report.leftOutOf', { all: whole(left), multiple: whole(multipleExposures) }),
          },
          { label: t('completeThrough'), value: completeThrough === null ? '–' : <When at={completeThrough} /> },
          { label: t('report.analysedAt'), value: analysedAt === null ? '–' : <When at={analysedAt} /> },
        ]}
      />
    </Container>
  )
}
