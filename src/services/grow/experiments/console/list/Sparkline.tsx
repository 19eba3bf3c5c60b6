import '../experiments.css'

/** A few changes in a row as a line, with zero through the middle of its range; the last one is said beside it. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const last = values.at(-1)
  if (last === undefined) return <span>–</span>
  const reach = Math.max(0.0001, ...values.map(Math.abs))
  const x = (at: number) => (values.length === 1 ? 60 : (at * 120) / (values.length - 1))
  const y = (value: number) => 14 - (value / reach) * 12
  return (
    <svg className="lg-sparkline" viewBox="0 0 120 28" role="img" aria-label={label} preserveAspectRatio="none">
      <line x1="0" x2="120" y1="14" y2="14" />
      <path d={values.map((value, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join(' ')} />
    </svg>
  )
}
