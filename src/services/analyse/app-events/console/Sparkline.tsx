import './app-events.css'

interface SparklineProps {
  counts: readonly number[]
  /** What it shows, for who does not see it. */
  label: string
}

const width = 140
const height = 28

/** Bars of one number a day, the last one today. */
export function Sparkline({ counts, label }: SparklineProps) {
  const most = Math.max(1, ...counts)
  const step = width / Math.max(1, counts.length)
  return (
    <svg className="events-sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      {counts.map((count, at) => {
        const tall = count === 0 ? 1 : Math.max(2, (count / most) * height)
        const x = at * step
        return (
          <rect
            key={x}
            className={count === 0 ? 'events-none' : undefined}
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
