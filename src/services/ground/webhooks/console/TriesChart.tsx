import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { type Language, localeOf } from '../../../../console/language.ts'
import { useCall } from '../../../../console/use-call.ts'
import { api } from './webhook-calls.ts'

const days = 14

/** How tries went, a day a bar; the title says the rate in numbers. */
export function TriesChart({ endpointId }: { endpointId: string }) {
  const { t, i18n } = useTranslation('ground/webhooks')
  const locale = localeOf[i18n.resolvedLanguage as Language]
  const result = useCall(api.getStatistics, { params: { endpointId }, query: { days } }, { refetchInterval: 60_000 })
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  const list = result.data?.list ?? []
  const sum = (of: 'accepted' | 'refused') => list.reduce((all, one) => all + one[of], 0)
  const total = sum('accepted') + sum('refused')
  const rate = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const day = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', timeZone: 'UTC' })
  const top = Math.max(1, ...list.map(one => one.accepted + one.refused))
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={total > 0 ? t('chart.rate', { rate: rate.format(sum('accepted') / total), count: total }) : ''}
        >
          {t('chart.title')}
        </Header>
      }
    >
      {total === 0 ? (
        <EmptyState title={t('chart.empty')} text={t('chart.emptyText')} />
      ) : (
        <MixedLineBarChart
          stackedBars
          hideFilter
          height={200}
          xScaleType="categorical"
          xDomain={list.map(one => one.day)}
          yDomain={[0, top <= 4 ? top + 1 : top * 1.1]}
          xTitle={t('chart.day')}
          yTitle={t('chart.tries')}
          ariaLabel={t('chart.title')}
          i18nStrings={{
            xTickFormatter: value => day.format(new Date(`${value}T00:00:00Z`)),
            yTickFormatter: value => (Number.isInteger(value) ? value.toLocaleString(locale) : ''),
          }}
          series={(['accepted', 'refused'] as const).map(of => ({
            type: 'bar' as const,
            title: t(`chart.${of}`),
            data: list.map(one => ({ x: one.day, y: one[of] })),
          }))}
        />
      )}
    </Container>
  )
}
