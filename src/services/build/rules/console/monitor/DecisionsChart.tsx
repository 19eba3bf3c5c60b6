import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import type { MonitorView } from '../../contract.ts'
import { rulesLocale } from '../rules-calls.ts'

/** Decisions over time; the title says the sums in numbers. */
export function DecisionsChart({ data, hours }: { data: MonitorView; hours: number }) {
  const { t } = useTranslation('build/rules')
  const locale = rulesLocale()
  const sum = (of: 'allow' | 'deny' | 'error') => data.series.reduce((all, one) => all + one[of], 0)
  const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const day: Intl.DateTimeFormatOptions = { day: '2-digit', month: '2-digit', ...clock }
  const format = new Intl.DateTimeFormat(locale, hours > 24 ? day : clock)
  const top = Math.max(1, ...data.series.map(one => one.allow + one.deny))
  const text = (value: number) => value.toLocaleString(locale)
  const sums = t('monitor.sums', { allow: text(sum('allow')), deny: text(sum('deny')), error: text(sum('error')) })
  return (
    <Container
      header={
        <Header variant="h2" description={sums}>
          {t('monitor.title')}
        </Header>
      }
    >
      {sum('allow') + sum('deny') === 0 ? (
        <EmptyState title={t('monitor.none')} text={t('monitor.noneText')} />
      ) : (
        <MixedLineBarChart
          stackedBars
          hideFilter
          height={240}
          xScaleType="categorical"
          xDomain={data.series.map(one => String(one.time))}
          yDomain={[0, top <= 4 ? top + 1 : top * 1.1]}
          xTitle={t('monitor.time')}
          yTitle={t('monitor.requests')}
          ariaLabel={t('monitor.title')}
          i18nStrings={{
            xTickFormatter: value => format.format(Number(value)),
            yTickFormatter: value => (Number.isInteger(value) ? text(value) : ''),
          }}
          series={(['allow', 'deny'] as const).map(of => ({
            type: 'bar' as const,
            title: t(`monitor.${of}`),
            data: data.series.map(one => ({ x: String(one.time), y: one[of] })),
          }))}
        />
      )}
    </Container>
  )
}
