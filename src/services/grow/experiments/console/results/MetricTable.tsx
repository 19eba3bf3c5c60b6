import '../experiments.css'
import { useTranslation } from 'react-i18next'
import type { JudgedView } from '../../analysis/contract.ts'
import type { Engine } from '../../rules.ts'
import { numbersOf } from '../numbers.ts'
import { IntervalBar } from './IntervalBar.tsx'

interface MetricTableProps {
  metrics: readonly JudgedView[]
  names: ReadonlyMap<string, string>
  engine: Engine
  alpha: number
}

type One = JudgedView['variants'][number]

/** Better, worse or not to be told, as the engine sees it. */
function toneOf(one: One, direction: 'up' | 'down', engine: Engine, alpha: number): 'good' | 'bad' | 'none' {
  if (one.lift === null) return 'none'
  const isTold =
    engine === 'bayesian'
      ? Math.abs((one.chanceToWin ?? 0.5) - 0.5) > 0.5 - alpha / 2
      : one.pAdjusted !== null && one.pAdjusted < alpha
  if (!isTold) return 'none'
  return one.lift > 0 === (direction === 'up') ? 'good' : 'bad'
}

/** Each metric with each variant beside the baseline: numbers, and the interval drawn on one scale. */
export function MetricTable({ metrics, names, engine, alpha }: MetricTableProps) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { whole, plain, change, p, percent } = numbersOf(i18n.resolvedLanguage)
  const ends = metrics.flatMap(one =>
    one.variants.flatMap(two => (two.interval ? [two.interval.low, two.interval.high] : [])),
  )
  const reach = Math.max(0.01, ...ends.map(Math.abs))
  const meanOf = (one: { mean: number; n: number; numerator: number | null; denominator: number | null }) => (
    <>
      {plain(one.mean)}
      <br />
      <small className="lg-soft">
        {one.numerator === null || one.denominator === null
          ? t('report.of', { units: whole(one.n) })
          : t('report.ratioOf', { top: plain(one.numerator), bottom: plain(one.denominator), units: whole(one.n) })}
      </small>
    </>
  )
  return (
    <div className="lg-metric-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('report.metric')}</th>
            <th scope="col">{t('report.variant')}</th>
            <th scope="col">{t('report.baseline')}</th>
            <th scope="col">{t('report.mean')}</th>
            <th scope="col">{t('report.change')}</th>
            <th scope="col">{t('report.interval', { percent: percent(1 - alpha) })}</th>
            <th scope="col">{engine === 'bayesian' ? t('report.chance') : t('report.p')}</th>
            <th scope="col">{t('report.yearly')}</th>
          </tr>
        </thead>
        <tbody>
          {metrics.flatMap(metric =>
            metric.variants.map((one, at) => {
              const tone = toneOf(one, metric.direction, engine, alpha)
              const { interval } = one
              const range = interval
                ? t('report.range', { low: change(interval.low), high: change(interval.high) })
                : '–'
              return (
                <tr key={`${metric.metricId} ${one.variant}`}>
                  <td>
                    {at === 0 && (
                      <>
                        <strong translate="no">{metric.name}</strong>
                        <br />
                        <small className="lg-soft">
                          {t(`roles.${metric.role}`)}
                          {metric.isPostHoc && ` · ${t('report.postHoc')}`}
                        </small>
                      </>
                    )}
                  </td>
                  <td translate="no">{names.get(one.variant) ?? one.variant}</td>
                  <td>{meanOf(metric.baseline)}</td>
                  <td>{meanOf(one)}</td>
                  <td className={`lg-effect-${tone}`}>
                    <strong>{change(one.lift)}</strong>
                    <br />
                    <small>{t(`report.tones.${tone}`)}</small>
                  </td>
                  <td>
                    <IntervalBar
                      low={interval?.low ?? null}
                      high={interval?.high ?? null}
                      middle={one.lift}
                      reach={reach}
                      tone={tone}
                      label={`${metric.name}: ${range}`}
                    />
                    <small className="lg-soft">{range}</small>
                  </td>
                  <td>
                    {engine === 'bayesian'
                      ? one.chanceToWin === null
                        ? '–'
                        : percent(one.chanceToWin)
                      : p(one.pAdjusted)}
                    {one.cuped && one.cuped.varianceReduction > 0.005 && (
                      <>
                        <br />
                        <small className="lg-soft">
                          {t('report.cuped', { part: percent(one.cuped.varianceReduction) })}
                        </small>
                      </>
                    )}
                  </td>
                  <td>{one.yearly === null || one.yearly === undefined ? '–' : plain(one.yearly)}</td>
                </tr>
              )
            }),
          )}
        </tbody>
      </table>
    </div>
  )
}
