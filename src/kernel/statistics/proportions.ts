import { normalAbove } from './distributions.ts'
import type { Interval } from './effects.ts'
import type { Sums } from './samples.ts'

/** How many units there were, and how many of them did something. */
export type Counted = Pick<Sums, 'n' | 'sum'>

/**
 * The z of two shares under the pooled share of both; above zero where the variant's is greater. Null where nothing can be
 * compared: an arm without units, or nobody or everybody did it.
 */
export function twoProportionZ(control: Counted, variant: Counted): number | null {
  if (control.n === 0 || variant.n === 0) return null
  const pooled = (control.sum + variant.sum) / (control.n + variant.n)
  const square = pooled * (1 - pooled) * (1 / control.n + 1 / variant.n)
  return square > 0 ? (variant.sum / variant.n - control.sum / control.n) / Math.sqrt(square) : null
}

/** Wilson's interval of a share (1927): within 0 and 1 and honest for small numbers too. Without units it is all of it. */
export function wilson({ n, sum }: Counted, confidence: number): Interval {
  if (n === 0) return { low: 0, high: 1 }
  const z = normalAbove((1 - confidence) / 2)
  const share = sum / n
  const whole = 1 + z ** 2 / n
  const middle = (share + z ** 2 / (2 * n)) / whole
  const half = (z / whole) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))
  return { low: sum === 0 ? 0 : Math.max(0, middle - half), high: sum === n ? 1 : Math.min(1, middle + half) }
}
