/** What is kept of a variant and a metric: sums over units, from which every result can be computed anew. */
export interface Sums {
  /** Units. */
  n: number
  sum: number
  sumOfSquares: number
}

/** Of a metric with a covariate: the same metric before the unit was first exposed. */
export interface PairedSums extends Sums {
  before: { sum: number; sumOfSquares: number; sumOfProducts: number }
}

/** Of a ratio of two sums of a unit: `sum` and `sumOfSquares` are of the numerator. */
export interface RatioSums extends Sums {
  of: { sum: number; sumOfSquares: number; sumOfProducts: number }
}

/** A variant as the tests see it: a mean, and the variance of one unit. */
export interface Sample {
  n: number
  mean: number
  variance: number
}

/** The mean of a value of a unit. */
export function meanOf({ n, sum, sumOfSquares }: Sums): Sample {
  const mean = n === 0 ? 0 : sum / n
  return { n, mean, variance: n < 2 ? 0 : Math.max(0, (sumOfSquares - (sum * sum) / n) / (n - 1)) }
}

/** The share of units that did something. */
export function proportionOf({ n, sum }: Pick<Sums, 'n' | 'sum'>): Sample {
  const mean = n === 0 ? 0 : sum / n
  return { n, mean, variance: mean * (1 - mean) }
}

/** The ratio of two sums, with its variance by the delta method. */
export function ratioOf(sums: RatioSums): Sample {
  const { n, sum, of } = sums
  const top = meanOf(sums)
  const bottom = meanOf({ n, sum: of.sum, sumOfSquares: of.sumOfSquares })
  if (bottom.mean === 0) return { n, mean: 0, variance: 0 }
  const covariance = covarianceOf(n, sum, of.sum, of.sumOfProducts)
  const { mean: m } = top
  const { mean: d } = bottom
  const variance = top.variance / d ** 2 + (bottom.variance * m ** 2) / d ** 4 - (2 * covariance * m) / d ** 3
  return { n, mean: m / d, variance: Math.max(0, variance) }
}

/** How two values of a unit go together. */
export function covarianceOf(n: number, sum: number, otherSum: number, sumOfProducts: number): number {
  return n < 2 ? 0 : (sumOfProducts - (sum * otherSum) / n) / (n - 1)
}
