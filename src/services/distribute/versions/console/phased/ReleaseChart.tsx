import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../../console/shown.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { fieldApi, type PhasedChangeView, type PhasedView } from '../version-calls.ts'
import { shareByDay } from './release-picture.ts'

const dayMs = 86_400_000

function dayText(day: string): string {
  const form = new Intl.DateTimeFormat(shownLocale(), { day: '2-digit', month: '2-digit', timeZone: 'UTC' })
  return form.format(new Date(`${day}T00:00:00Z`))
}

const pointsOf = (days: readonly string[], values: readonly (number | null)[]) =>
  days.flatMap((x, index) => {
    const y = values[index]
    return y === null || y === undefined ? [] : [{ x, y }]
  })

/** By day: the share that was planned, that was offered, and of the devices those that have it. */
export default function ReleaseChart({
  phased,
  changes,
}: {
  phased: PhasedView
  changes: readonly PhasedChangeView[]
}) {
  const { t } = useTranslation('distribute/versions')
  const { appId, startAt, endedAt, kind } = phased
  const now = Date.now()
  const days = Math.min(90, Math.max(1, Math.ceil((now - (startAt ?? now)) / dayMs) + 1))
  const field = useCall(fieldApi.listFieldVersions, { query: { appId, days } })
  const picture = shareByDay(phased, changes, field.data, now)
  const percent = new Intl.NumberFormat(shownLocale(), { style: 'percent', maximumFractionDigits: 2 })
  const shown = (value: number) => percent.format(value / 100)
  const offered = pointsOf(picture.days, picture.offered)
  const tops = [...picture.planned, ...picture.offered, ...picture.reached].map(one => one ?? 0)
  return (
    <MixedLineBarChart
      hideFilter
      height={220}
      xScaleType="categorical"
      xDomain={picture.days}
      yDomain={[0, Math.min(100, Math.max(...tops, 1) * 1.1)]}
      xTitle={t('phased.chart.day')}
      yTitle={t('phased.chart.share')}
      ariaLabel={t('phased.chart.title')}
      ariaDescription={endedAt === null ? t('phased.chart.running') : t('phased.chart.over')}
      i18nStrings={{
        xTickFormatter: value => dayText(String(value)),
        yTickFormatter: shown,
      }}
      series={[
        {
          type: 'bar',
          title: t('phased.chart.reached'),
          color: '#2ea597',
          data: pointsOf(picture.days, picture.reached),
          valueFormatter: shown,
        },
        ...(kind === 'CURVE7'
          ? [
              {
                type: 'line' as const,
                title: t('phased.chart.planned'),
                color: '#8c8c94',
                data: pointsOf(picture.days, picture.planned),
                valueFormatter: shown,
              },
            ]
          : []),
        {
          // A line of one point is not seen.
          type: offered.length === 1 ? 'bar' : 'line',
          title: t('phased.chart.offered'),
          color: '#688ae8',
          data: offered,
          valueFormatter: shown,
        },
      ]}
    />
  )
}
