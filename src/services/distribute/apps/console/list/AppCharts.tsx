import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { BarList } from '../../../../../console/kit/BarList.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { api } from '../app-calls.ts'

/** Where the team's apps stand, and how they grew: three lists of bars and a year of months. */
export default function AppCharts({ zone }: { zone: ZoneId }) {
  const { t, i18n } = useTranslation('distribute/apps')
  const found = useCall(api.getAppNumbers, { query: {} }, { zone })
  const numbers = found.data
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!numbers) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  const { language } = i18n
  const months = numbers.byMonth.map(one => one.month)
  const monthText = (month: string) =>
    new Intl.DateTimeFormat(language, { month: 'short', year: '2-digit', timeZone: 'UTC' }).format(
      new Date(`${month}-01T00:00:00Z`),
    )
  const groups = [
    {
      id: 'byShelf',
      bars: numbers.byShelf.map(one => ({
        id: one.shelfState,
        label: t(`shelfStates.${one.shelfState}`),
        value: one.apps,
      })),
    },
    {
      id: 'byType',
      bars: numbers.byPackageType.map(one => ({
        id: one.packageType,
        label: t(`types.${one.packageType}`),
        value: one.apps,
      })),
    },
    {
      id: 'byOpen',
      bars: numbers.byOpenVersion.map(one => ({
        id: one.openVersionState,
        label: t(`versionStates.${one.openVersionState}`),
        value: one.apps,
      })),
    },
  ]
  const top = Math.max(...numbers.byMonth.map(one => Math.max(one.created, one.firstOnShelf)), 1)
  return (
    <div className="lg-charts">
      {groups.map(({ id, bars }) => (
        <Container key={id} fitHeight header={<Header variant="h3">{t(`charts.${id}`)}</Header>}>
          {bars.length === 0 ? (
            <span className="lg-soft">{t('charts.none')}</span>
          ) : (
            <BarList label={t(`charts.${id}`)} bars={bars} language={language} />
          )}
        </Container>
      ))}
      <Container header={<Header variant="h3">{t('charts.byMonth')}</Header>}>
        <MixedLineBarChart
          hideFilter
          height={180}
          xScaleType="categorical"
          xDomain={months}
          yDomain={[0, top <= 4 ? top + 1 : top * 1.1]}
          xTitle={t('charts.month')}
          yTitle={t('charts.apps')}
          ariaLabel={t('charts.byMonth')}
          i18nStrings={{
            xTickFormatter: value => monthText(String(value)),
            yTickFormatter: value => (Number.isInteger(value) ? value.toLocaleString(language) : ''),
          }}
          series={(['created', 'firstOnShelf'] as const).map(key => ({
            type: 'bar' as const,
            title: t(`charts.${key}`),
            data: numbers.byMonth.map(one => ({ x: one.month, y: one[key] })),
          }))}
        />
      </Container>
    </div>
  )
}
