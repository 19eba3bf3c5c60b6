import '../experiments.css'
import { useTranslation } from 'react-i18next'
import type { ReportView } from '../../analysis/contract.ts'
import { numbersOf } from '../numbers.ts'

type Points = ReportView['courses'][number]['cumulative']

/** A change over the days of first exposure: the line, its interval as a band, and zero. */
export function CourseChart({ points, label }: { points: Points; label: string }) {
  const { t, i18n } = useTranslation('grow/experiments')
  const { change } = numbersOf(i18n.resolvedLanguage)
  const shown = points.flatMap(one =>
    one.lift === null || one.low === null || one.high === null
      ? []
      : [{ ...one, lift: one.lift, low: one.low, high: one.high }],
  )
  const [first, last] = [shown[0], shown.at(-1)]
  if (!first || !last || first === last) return <p className="lg-soft">{t('report.noCourse')}</p>
  // The first days are wild; what counts is how wide the later ones are.
  const settled = shown.slice(Math.floor(shown.length / 3))
  const reach = Math.max(0.001, ...settled.flatMap(one => [Math.abs(one.low), Math.abs(one.high)])) * 1.1
  const x = (at: number) => (at * 600) / (shown.length - 1)
  const y = (value: number) => 90 - (Math.max(-reach, Math.min(reach, value)) / reach) * 86
  const line = (of: (one: (typeof shown)[number]) => number) => shown.map((one, at) => `${x(at)} ${y(of(one))}`)
  const band = [...line(one => one.high), ...line(one => one.low).reverse()]
  const day = new Intl.DateTimeFormat(i18n.resolvedLanguage, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return (
    <figure>
      <svg
        className="lg-course lg-course-line"
        viewBox="0 0 600 180"
        role="img"
        aria-label={label}
        preserveAspectRatio="none"
      >
        <path className="lg-course-band" d={`M${band.join(' L')} Z`} />
        <line x1="0" x2="600" y1="90" y2="90" />
        <path d={`M${line(one => one.lift).join(' L')}`} />
      </svg>
      <figcaption className="lg-course-ends lg-soft">
        <span>{day.format(first.at)}</span>
        <span>{t('report.range', { low: change(-reach), high: change(reach) })}</span>
        <span>{day.format(last.at)}</span>
      </figcaption>
    </figure>
  )
}
