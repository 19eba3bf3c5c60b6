import './kit.css'

export interface Bar {
  id: string
  label: string
  value: number
}

/** A few numbers beside each other as bars; the numbers stand there too, so nothing is only a length. */
export function BarList({ label, bars, language }: { label: string; bars: readonly Bar[]; language: string }) {
  const top = Math.max(1, ...bars.map(bar => bar.value))
  return (
    <dl className="lg-bars" aria-label={label}>
      {bars.map(bar => (
        <div key={bar.id}>
          <dt>{bar.label}</dt>
          <dd className="lg-bar" aria-hidden="true">
            <span style={{ width: `${(bar.value * 100) / top}%` }} />
          </dd>
          <dd>{bar.value.toLocaleString(language)}</dd>
        </div>
      ))}
    </dl>
  )
}
