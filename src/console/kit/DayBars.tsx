import './kit.css'

interface DayBarsProps {
  /** One number a day, or an hour, the last one the newest. */
  counts: readonly number[]
  /** What the bars show, for who does not see them. */
  label: string
}

const width = 140
const height = 28

/** A number a day, or an hour, as small bars, for a cell of a table. */
export function DayBars({ counts, label }: DayBarsProps) {
  const most = Math.max(1, ...counts)
  const step = width / Math.max(1, counts.length)
  return (
    <svg className="lg-day-bars" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      {counts.map((count, at) => {
        const tall = count === 0 ? 1 : Math.max(2, (count / most) * height)
        const x = at * step
        return (
          <rect
            key={x}
            className={count === 0 ? 'lg-none' : undefined}
            x={x}
            y={height - tall}
            width={Math.max(0.8, step - 1)}
            height={tall}
          />
        )
      })}
    </svg>
  )
}
