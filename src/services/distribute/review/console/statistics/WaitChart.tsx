import BarChart from '@cloudscape-design/components/bar-chart'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import type { StatisticsView } from '../review-calls.ts'
import { hoursText, topOf } from './chart-words.ts'

const hour = 3_600_000
const marks = ['p50Ms', 'p90Ms', 'p95Ms'] as const

/** How long developers waited, by queue: half of them, nine of ten, nineteen of twenty no longer than this. */
export function WaitChart({ waits }: { waits: StatisticsView['waits'] }) {
  const { t } = useTranslation('distribute/review')
  if (waits.length === 0) return null
  const hours = (value: number | null) => (value ?? 0) / hour
  return (
    <Container header={<Header variant="h2">{t('stats.waits')}</Header>}>
      <BarChart
        hideFilter
        height={220}
        xScaleType="categorical"
        xDomain={waits.map(one => t(`queues.${one.queue}`))}
        yDomain={[0, topOf(waits.map(one => hours(one.p95Ms)))]}
        xTitle={t('task.queue')}
        yTitle={t('stats.hours')}
        ariaLabel={t('stats.waits')}
        i18nStrings={{ yTickFormatter: hoursText }}
        series={marks.map(mark => ({
          type: 'bar' as const,
          title: t(`stats.marks.${mark}`),
          data: waits.map(one => ({ x: t(`queues.${one.queue}`), y: hours(one[mark]) })),
          valueFormatter: hoursText,
        }))}
      />
    </Container>
  )
}
