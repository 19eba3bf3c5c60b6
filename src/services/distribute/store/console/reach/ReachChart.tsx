import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { storeLanguage } from '../store-calls.ts'
import type { Measure, ReachPicture } from './reach-series.ts'

function dayText(day: string): string {
  return new Intl.DateTimeFormat(storeLanguage(), { day: '2-digit', month: '2-digit', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
}

/** Days as bars, a colour and a name for each version; the table below says the same in numbers. */
export function ReachChart({ measure, picture }: { measure: Measure; picture: ReachPicture }) {
  const { t } = useTranslation('distribute/store')
  const { days, series, releases } = picture
  const tops = days.map((_, index) => series.reduce((sum, one) => sum + (one.counts[index] ?? 0), 0))
  const top = Math.max(...tops, 1)
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            releases.length > 0
              ? releases.map(one => t('reach.released', { name: one.name, day: dayText(one.day) })).join(' · ')
              : undefined
          }
        >
          {t(`measures.${measure}`)}
        </Header>
      }
    >
      <MixedLineBarChart
        stackedBars
        hideFilter
        height={280}
        xScaleType="categorical"
        xDomain={days}
        yDomain={[0, top <= 4 ? top + 1 : top * 1.1]}
        xTitle={t('reach.day')}
        yTitle={t('reach.devices')}
        ariaLabel={t(`measures.${measure}`)}
        i18nStrings={{
          xTickFormatter: value => dayText(String(value)),
          yTickFormatter: value => (Number.isInteger(value) ? value.toLocaleString(storeLanguage()) : ''),
        }}
        series={series.map(one => ({
          type: 'bar' as const,
          title: one.name,
          data: one.counts.map((y, index) => ({ x: days[index]!, y })),
        }))}
        empty={<EmptyState title={t('reach.empty')} />}
      />
    </Container>
  )
}
