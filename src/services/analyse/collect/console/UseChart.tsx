import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useTranslation } from 'react-i18next'
import { dayText, numberText, type UseDays } from './use-calls.ts'

const parts = ['views', 'clicks'] as const
const colours = { views: '#688ae8', clicks: '#2ea597', visitors: '#8456ce' } as const

/** Pages and clicks of each day as bars, people as a line. */
export function UseChart({ use, days }: { use: UseDays; days: readonly string[] }) {
  const { t } = useTranslation('analyse/collect')
  const byDay = new Map(use.list.map(row => [row.day, row]))
  const amountOf = (day: string, part: keyof typeof colours) => byDay.get(day)?.[part] ?? 0
  const top = Math.max(4, ...days.map(day => amountOf(day, 'views') + amountOf(day, 'clicks')))
  return (
    <Container header={<Header variant="h2">{t('chart')}</Header>}>
      <MixedLineBarChart
        stackedBars
        hideFilter
        height={240}
        xScaleType="categorical"
        xDomain={[...days]}
        yDomain={[0, top * 1.1]}
        xTitle={t('day')}
        yTitle={t('events')}
        ariaLabel={t('chart')}
        i18nStrings={{
          xTickFormatter: value => dayText(String(value)),
          yTickFormatter: value => (Number.isInteger(value) ? numberText(value) : ''),
        }}
        series={[
          ...parts.map(part => ({
            type: 'bar' as const,
            title: t(part),
            color: colours[part],
            data: days.map(day => ({ x: day, y: amountOf(day, part) })),
          })),
          {
            type: 'line' as const,
            title: t('visitors'),
            color: colours.visitors,
            data: days.map(day => ({ x: day, y: amountOf(day, 'visitors') })),
          },
        ]}
      />
    </Container>
  )
}
