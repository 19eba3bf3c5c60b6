import { normalAbove } from './distributions.ts'
import type { Sample } from './samples.ts'

/** Both bounds of the interval that a quantile's standard error is read from. */
const readAt = 0.05

/**
 * The quantile of a metric, as a sample whose spread is that of the quantile: its error comes from the order statistics
 * around it. `sorted` rises; null where there are too few units for both bounds.
 */
export function quantileOf(sorted: ArrayLike<number>, quantile: number): Sample | null {
  const n = sorted.length
  const z = normalAbove(readAt / 2)
  const reach = z * Math.sqrt(n * quantile * (1 - quantile))
  const low = Math.floor(n * quantile - reach) - 1
  const high = Math.ceil(n * quantile + reach)
  if (low < 0 || high >= n) return null
  const error = ((sorted[high] as number) - (sorted[low] as number)) / (2 * z)
  return { n, mean: sorted[Math.max(0, Math.ceil(n * quantile) - 1)] as number, variance: error ** 2 * n }
}
