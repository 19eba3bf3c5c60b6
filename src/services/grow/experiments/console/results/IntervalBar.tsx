import '../experiments.css'

interface IntervalBarProps {
  low: number
  high: number
  middle: number
  /** The same for all bars of a table, so that they can be compared. */
  reach: number
  tone: 'good' | 'bad' | 'none'
  label: string
}

/** An interval as a bar around zero, with its middle; the numbers stand beside it. */
export function IntervalBar({ low, high, middle, reach, tone, label }: IntervalBarProps) {
  const x = (value: number) => 100 + (Math.max(-reach, Math.min(reach, value)) / reach) * 96
  return (
    <svg className={`lg-interval lg-effect-${tone}`} viewBox="0 0 200 22" role="img" aria-label={label}>
      <line x1="100" x2="100" y1="0" y2="22" />
      <rect x={x(low)} y="6" width={Math.max(1, x(high) - x(low))} height="10" rx="3" />
      <circle cx={x(middle)} cy="11" r="3.5" />
    </svg>
  )
}
