import { normalAbove } from './distributions.ts'

interface Plan {
  /** Chance of a false alarm, two-sided. */
  alpha: number
  /** Chance to see the effect if it is there. */
  power: number
}

/** Units an arm to see a share grow from `base` by `change`, both as parts of one. Not rounded. */
export function unitsForShare(base: number, change: number, { alpha, power }: Plan): number {
  const other = base + change
  const spread = normalAbove(alpha / 2) * Math.sqrt(2 * base * (1 - base))
  const both = normalAbove(1 - power) * Math.sqrt(base * (1 - base) + other * (1 - other))
  return (spread + both) ** 2 / change ** 2
}

/** Units an arm to see a mean change by so much, where one unit has this variance. Not rounded. */
export function unitsForMean(variance: number, change: number, { alpha, power }: Plan): number {
  return (2 * variance * (normalAbove(alpha / 2) + normalAbove(1 - power)) ** 2) / change ** 2
}
