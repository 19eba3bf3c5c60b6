import { normalAbove } from './distributions.ts'
import type { Sample } from './samples.ts'

/** How many deviations the bounds lie apart from the quantile that its standard error is read from. */
export const readAtDeviations = normalAbove(0.025)

/** Of values in order, the quantile and what stands around it; where they stand is counted from 0. */
export interface Ordered {
  n: number
  low: number
  at: number
  high: number
}

/**
 * Where the quantile of so many values in order stands, with the bounds that its error is read from; null where there are
 * too few for both.
 */
export function placesOf(n: number, quantile: number): Ordered | null {
  const reach = readAtDeviations * Math.sqrt(n * quantile * (1 - quantile))
  const low = Math.floor(n * quantile - reach) - 1
  const high = Math.ceil(n * quantile + reach)
  return low < 0 || high >= n ? null : { n, low, at: Math.max(0, Math.ceil(n * quantile) - 1), high }
}

/** The quantile as a sample whose spread is that of the quantile: its error comes from the order statistics around it. */
export function sampleOfOrder({ n, low, at, high }: Ordered): Sample {
  const error = (high - low) / (2 * readAtDeviations)
  return { n, mean: at, variance: error ** 2 * n }
}

/** The quantile of a metric. `sorted` rises; null where there are too few units for both bounds. */
export function quantileOf(sorted: ArrayLike<number>, quantile: number): Sample | null {
  const places = placesOf(sorted.length, quantile)
  if (!places) return null
  const valueAt = (place: number) => sorted[place] as number
  return sampleOfOrder({ n: places.n, low: valueAt(places.low), at: valueAt(places.at), high: valueAt(places.high) })
}
