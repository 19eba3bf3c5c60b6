import '../experiments.css'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RowCards } from '../../../../../console/kit/RowCards.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useIsNarrow } from '../../../../../console/shell/use-is-narrow.ts'
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
  const isNarrow = useIsNarrow()
  const { whole, plain, change, p, percent } = numbersOf(i18n.resolvedLanguage)
  const rows = metrics.flatMap(metric => metric.variants.map((one, at) => ({ metric, one, isFirst: at === 0 })))
  type Row = (typeof rows)[number]
  const ends = rows.flatMap(({ one }) => (one.interval ? [one.interval.low, one.interval.high] : []))
  const reach = Math.max(0.01, ...ends.map(Math.abs))
  const under = (line: string, main: ReactNode) => (
    <>
      {main}
      <br />
      <small className="lg-soft">{line}</small>
    </>
  )
  const meanOf = (one: { mean: number; n: number; numerator: number | null; denominator: number | null }) =>
    under(
      one.numerator === null || one.denominator === null
        ? t('report.of', { units: whole(one.n) })
        : t('report.ratioOf', { top: plain(one.numerator), bottom: plain(one.denominator), units: whole(one.n) }),
      plain(one.mean),
    )
  const changeOf = ({ metric, one }: Row) => {
    const tone = toneOf(one, metric.direction, engine, alpha)
    return (
      <span className={`lg-effect-${tone}`}>
        <strong>{change(one.lift)}</strong>
        <br />
        <small>{t(`report.tones.${tone}`)}</small>
      </span>
    )
  }
  const intervalOf = ({ metric, one }: Row) => {
    const { interval, lift } = one
    if (!interval || lift === null) return '–'
    const range = t('report.range', { low: change(interval.low), high: change(interval.high) })
    const tone = toneOf(one, metric.direction, engine, alpha)
    const bar = <IntervalBar {...interval} {...{ middle: lift, reach, tone, label: `${metric.name}: ${range}` }} />
    return (
      <>
        {bar}
        <small className="lg-soft">{range}</small>
      </>
    )
  }
  const sureOf = ({ one }: Row) => {
    const bayes = one.chanceToWin === null ? '–' : percent(one.chanceToWin)
    const sure = engine === 'bayesian' ? bayes : p(one.pAdjusted)
    const spared = one.cuped?.varianceReduction ?? 0
    return spared > 0.005 ? under(t('report.cuped', { part: percent(spared) }), sure) : sure
  }
  const columns: TableColumn<Row>[] = [
    {
      id: 'metric',
      header: t('report.metric'),
      isName: true,
      cell: ({ metric, isFirst }) =>
        (isFirst || isNarrow) &&
        under(
          [t(`roles.${metric.role}`), ...(metric.isPostHoc ? [t('report.postHoc')] : [])].join(' · '),
          <strong translate="no">{metric.name}</strong>,
        ),
    },
    {
      id: 'variant',
      header: t('report.variant'),
      cell: ({ one }) => <span translate="no">{names.get(one.variant) ?? one.variant}</span>,
    },
    { id: 'baseline', header: t('report.baseline'), cell: ({ metric }) => meanOf(metric.baseline) },
    { id: 'mean', header: t('report.mean'), cell: ({ one }) => meanOf(one) },
    { id: 'change', header: t('report.change'), cell: changeOf },
    { id: 'interval', header: t('report.interval', { percent: percent(1 - alpha) }), cell: intervalOf },
    { id: 'sure', header: engine === 'bayesian' ? t('report.chance') : t('report.p'), cell: sureOf },
    { id: 'yearly', header: t('report.yearly'), cell: ({ one }) => (one.yearly == null ? '–' : plain(one.yearly)) },
  ]
  const keyOf = ({ metric, one }: Row) => `${metric.metricId} ${one.variant}`
  if (isNarrow) return <RowCards rows={rows} columns={columns} rowKey={keyOf} isLoading={false} nothing={null} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard
    <section className="lg-metric-table" tabIndex={0} aria-label={t('report.results')}>
      <table>
        <thead>
          <tr>
            {columns.map(({ id, header }) => (
              <th key={id} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, cell }) => (
                <td key={id}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
