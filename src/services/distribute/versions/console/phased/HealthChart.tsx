import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../../console/shown.ts'
import { type GateMetric, gateLimits, isOfStars, readingOf } from '../../gates/rules.ts'
import type { HealthView, PhasedView } from '../version-calls.ts'
import { amountText } from './phased-words.ts'
import { healthByStep } from './release-picture.ts'

const colours = { PAUSE: '#b2911c', ROLLBACK: '#d63f38' } as const
const dayMs = 86_400_000

interface HealthChartProps {
  metric: GateMetric
  phased: PhasedView
  health: HealthView
}

/** A line of one point is not seen. */
const typeOf = ({ length }: readonly unknown[]) => (length === 1 ? ('bar' as const) : ('line' as const))

/** A rate or the average rating as it went since the release began, that of the full version beside it, and the limits of its gates. */
export default function HealthChart({ metric, phased, health }: HealthChartProps) {
  const { t } = useTranslation('distribute/versions')
  const steps = healthByStep(health)
  const form = new Intl.DateTimeFormat(shownLocale(), {
    day: '2-digit',
    month: '2-digit',
    ...(health.stepMs < dayMs && { hour: '2-digit', minute: '2-digit' }),
  })
  const pointsOf = (side: 'own' | 'base') =>
    steps.flatMap(step => {
      const { value } = readingOf(metric, step[side])
      return value === null ? [] : [{ x: String(step.at), y: value }]
    })
  const own = pointsOf('own')
  const base = pointsOf('base')
  const gates = phased.gates.filter(gate => gate.metric === metric)
  const top = Math.max(...[...own, ...base].map(one => one.y), ...gates.map(gate => gate.value), 1)
  const domain = isOfStars(metric) ? [gateLimits.starsLeast, gateLimits.starsMost] : [0, Math.min(100, top * 1.2)]
  const shown = (value: number) => amountText(metric, value)
  const limitSide = isOfStars(metric) ? 'limitBelow' : 'limit'
  return (
    <MixedLineBarChart
      hideFilter
      height={180}
      xScaleType="categorical"
      xDomain={steps.map(step => String(step.at))}
      yDomain={domain}
      xTitle={health.stepMs < dayMs ? t('phased.health.hour') : t('phased.chart.day')}
      yTitle={t(`phased.metrics.${metric}`)}
      ariaLabel={t(`phased.metrics.${metric}`)}
      i18nStrings={{ xTickFormatter: value => form.format(Number(value)), yTickFormatter: shown }}
      series={[
        { type: typeOf(own), title: t('phased.health.own'), color: '#688ae8', data: own, valueFormatter: shown },
        { type: typeOf(base), title: t('phased.health.base'), color: '#8c8c94', data: base, valueFormatter: shown },
        ...gates.map(gate => ({
          type: 'threshold' as const,
          title: t(`phased.gates.${limitSide}.${gate.action}`),
          color: colours[gate.action],
          y: gate.value,
          valueFormatter: shown,
        })),
      ]}
    />
  )
}
