import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import LineChart from '@cloudscape-design/components/line-chart'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { ExportMenu } from '../../../../console/kit/ExportMenu.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { Intervals } from './Intervals.tsx'
import { type ArmView, api, liftText, numberText, percentText, verdictTones } from './material-calls.ts'

/** What was found: the rate of each arm over time, the intervals, and the numbers. */
export function ResultPanel({ testId }: { testId: string }) {
  const { t } = useTranslation('distribute/material')
  const found = useCall(api.getReport, { query: { testId } }, { keepBefore: true, refetchInterval: 30_000 })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return null
  const { arms, days, result } = found.data
  const nameOf = (name: string | null) => name ?? t('control')
  const top = Math.max(0.01, ...days.flatMap(day => day.arms.map(arm => arm.rate ?? 0))) * 1.2
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={<When at={result.at} />}
          actions={<ExportMenu ask={wish => api.exportReport.raw({ query: { testId, ...wish } })} />}
        >
          {t('result.title')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {!result.isSplitHealthy && <Alert type="warning">{t('result.split')}</Alert>}
        <ProgressBar
          value={Math.round(result.progress * 100)}
          label={t('result.progress')}
          description={t('result.planned', { count: result.plannedPerArm, shown: numberText(result.plannedPerArm) })}
        />
        {days.length === 0 ? (
          <EmptyState title={t('result.empty')} text={t('result.emptyText')} />
        ) : (
          <>
            <LineChart
              hideFilter
              height={240}
              xScaleType="categorical"
              xDomain={days.map(day => day.day)}
              yDomain={[0, top]}
              xTitle={t('result.day')}
              yTitle={t('result.rate')}
              ariaLabel={t('result.over')}
              i18nStrings={{ yTickFormatter: value => percentText(value) }}
              series={arms.map((arm, at) => ({
                type: 'line' as const,
                title: nameOf(arm.name),
                valueFormatter: (value: number) => percentText(value, 2),
                data: days.flatMap(({ day, arms: counts }) => {
                  const rate = counts[at]?.rate
                  return rate == null ? [] : [{ x: day, y: rate }]
                }),
              }))}
            />
            <Intervals arms={result.arms} nameOf={nameOf} />
            <Numbers arms={result.arms} nameOf={nameOf} />
          </>
        )}
      </SpaceBetween>
    </Container>
  )
}

interface NumbersProps {
  arms: readonly ArmView[]
  nameOf: (name: string | null) => string
}

function Numbers({ arms, nameOf }: NumbersProps) {
  const { t } = useTranslation('distribute/material')
  const range = (low: number | null, high: number | null) =>
    low === null || high === null ? '–' : `${liftText(low)} … ${liftText(high)}`
  return (
    <Table
      variant="embedded"
      wrapLines
      items={arms}
      columnDefinitions={[
        { id: 'name', header: t('result.arm'), cell: arm => <span translate="no">{nameOf(arm.name)}</span> },
        { id: 'share', header: t('variant.share'), cell: arm => percentText(arm.share / 100) },
        { id: 'impressions', header: t('result.devices'), cell: arm => numberText(arm.impressions) },
        { id: 'installs', header: t('result.reached'), cell: arm => numberText(arm.installs) },
        { id: 'rate', header: t('result.rate'), cell: arm => percentText(arm.rate, 2) },
        { id: 'lift', header: t('result.lift'), cell: arm => liftText(arm.lift) },
        { id: 'interval', header: t('result.interval'), cell: arm => range(arm.ciLow, arm.ciHigh) },
        { id: 'p', header: t('result.p'), cell: arm => (arm.pValue === null ? '–' : arm.pValue.toFixed(4)) },
        {
          id: 'verdict',
          header: t('result.verdict'),
          cell: arm =>
            arm.verdict === null ? (
              '–'
            ) : (
              <StatusBadge tone={verdictTones[arm.verdict]} text={t(`verdicts.${arm.verdict}`)} />
            ),
        },
      ]}
    />
  )
}
