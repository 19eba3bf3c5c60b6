import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../console/shown.ts'
import { mostStars, stars } from '../rules.ts'
import type { StatsView } from './comment-calls.ts'
import { dayText } from './comment-words.ts'

const dayMs = 86_400_000
/** From five stars to one; the legend names each. */
const colours = ['#2ea597', '#688ae8', '#8c8c94', '#e07941', '#d63f38'] as const
const mostDays = 30

/** How many stars of each kind came on each of the last days. */
export function TrendChart({ stats }: { stats: StatsView }) {
  const { t } = useTranslation('distribute/comments')
  const byDay = new Map(stats.days.map(day => [day.day, day]))
  const last = Math.floor((stats.to - 1) / dayMs)
  const days = Array.from({ length: mostDays }, (_, at) =>
    new Date((last - mostDays + 1 + at) * dayMs).toISOString().slice(0, 10),
  )
  const top = Math.max(...days.map(day => byDay.get(day)?.count ?? 0), 1)
  return (
    <Container header={<Header variant="h2">{t('trend')}</Header>}>
      <MixedLineBarChart
        stackedBars
        hideFilter
        height={200}
        xScaleType="categorical"
        xDomain={days}
        yDomain={[0, top <= 4 ? top + 1 : top * 1.1]}
        xTitle={t('day')}
        yTitle={t('tiles.ratings')}
        ariaLabel={t('trend')}
        i18nStrings={{
          xTickFormatter: value => dayText(String(value)),
          yTickFormatter: value => (Number.isInteger(value) ? value.toLocaleString(shownLocale()) : ''),
        }}
        series={stars.map((value, at) => ({
          type: 'bar' as const,
          title: t('star', { count: value }),
          color: colours[at] ?? colours[0],
          data: days.map(day => ({ x: day, y: byDay.get(day)?.histogram[mostStars - value] ?? 0 })),
        }))}
      />
    </Container>
  )
}
