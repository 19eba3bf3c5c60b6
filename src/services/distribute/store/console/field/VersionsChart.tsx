import AreaChart from '@cloudscape-design/components/area-chart'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { type FieldView, storeLanguage } from '../store-calls.ts'
import { dayText, topOf, wholeText } from './chart-words.ts'

/** How many devices had each version at the end of each day, one above the other. */
export function VersionsChart({ field }: { field: FieldView }) {
  const { t } = useTranslation('distribute/store')
  const { list, days, other } = field
  const dates = days.map(one => new Date(`${one.day}T00:00:00Z`))
  const sums = days.map(one => one.active.reduce((sum, count) => sum + count, one.other))
  const hasOther = other > 0 || days.some(one => one.other > 0)
  const series = list.map((version, at) => ({
    type: 'area' as const,
    title: `${version.versionName} (${version.versionCode})`,
    data: days.map((one, index) => ({ x: dates[index] as Date, y: one.active[at] ?? 0 })),
  }))
  const rest = {
    type: 'area' as const,
    title: t('field.other'),
    data: days.map((one, index) => ({ x: dates[index] as Date, y: one.other })),
  }
  return (
    <Container
      header={
        <Header variant="h2" description={t('field.versionsText')}>
          {t('field.versions')}
        </Header>
      }
    >
      <AreaChart
        hideFilter
        height={240}
        xScaleType="time"
        xDomain={[dates[0] as Date, dates.at(-1) as Date]}
        yDomain={[0, topOf(sums)]}
        xTitle={t('reach.day')}
        yTitle={t('reach.devices')}
        ariaLabel={t('field.versions')}
        i18nStrings={{
          xTickFormatter: value => dayText(value.toISOString().slice(0, 10)),
          yTickFormatter: wholeText,
          detailTotalLabel: t('field.total'),
          detailTotalFormatter: value => value.toLocaleString(storeLanguage()),
        }}
        series={hasOther ? [...series, rest] : series}
        empty={<EmptyState title={t('field.noVersions')} />}
      />
    </Container>
  )
}
