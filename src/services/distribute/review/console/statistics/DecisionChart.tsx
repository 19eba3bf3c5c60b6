import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import type { StatisticsView } from '../review-calls.ts'
import { dayText, topOf, wholeText } from './chart-words.ts'

const passed = (row: StatisticsView['days'][number]) => row.decided - row.rejected - row.automatic
const colours = { passed: '#2ea597', rejected: '#d63f38', automatic: '#688ae8', queued: '#8c8c94' } as const

/** What came in and what was decided on each day. */
export function DecisionChart({ days }: { days: StatisticsView['days'] }) {
  const { t } = useTranslation('distribute/review')
  const sum = days.reduce((all, one) => all + one.queued + one.decided, 0)
  return (
    <Container header={<Header variant="h2">{t('stats.perDay')}</Header>}>
      {sum === 0 ? (
        <EmptyState title={t('stats.nothing')} text={t('stats.nothingText')} />
      ) : (
        <MixedLineBarChart
          stackedBars
          hideFilter
          height={240}
          xScaleType="categorical"
          xDomain={days.map(one => one.day)}
          yDomain={[0, topOf(days.map(one => Math.max(one.decided, one.queued)))]}
          xTitle={t('stats.day')}
          yTitle={t('stats.tasks')}
          ariaLabel={t('stats.perDay')}
          i18nStrings={{ xTickFormatter: value => dayText(String(value)), yTickFormatter: wholeText }}
          series={[
            ...(['passed', 'rejected', 'automatic'] as const).map(of => ({
              type: 'bar' as const,
              title: t(`stats.series.${of}`),
              color: colours[of],
              data: days.map(one => ({ x: one.day, y: of === 'passed' ? passed(one) : one[of] })),
            })),
            {
              type: 'line' as const,
              title: t('stats.series.queued'),
              color: colours.queued,
              data: days.map(one => ({ x: one.day, y: one.queued })),
            },
          ]}
        />
      )}
    </Container>
  )
}
