import { chiSquareTail } from './distributions.ts'

/** Below this the split is not what was planned, whatever the results say. */
export const mismatchBelow = 0.001
/** Fewer units a variant say nothing about the split. */
const leastOfVariant = 8

export interface Split {
  chiSquare: number
  p: number
  isHealthy: boolean
}

/** Whether as many units came to each variant as their weights say (sample ratio mismatch). */
export function splitOf(counts: readonly number[], weights: readonly number[]): Split {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let chiSquare = 0
  let groups = 0
  for (const [at, count] of counts.entries()) {
    const expected = (total * (weights[at] ?? 0)) / whole
    // A variant that nobody should get: one unit in it is a mismatch beyond any doubt.
    if (!(expected > 0)) chiSquare += count > 0 ? Number.POSITIVE_INFINITY : 0
    else {
      chiSquare += (count - expected) ** 2 / expected
      groups++
    }
  }
  const p = chiSquare === Number.POSITIVE_INFINITY ? 0 : groups < 2 ? 1 : chiSquareTail(chiSquare, groups - 1)
  return { chiSquare, p, isHealthy: p >= mismatchBelow || total < leastOfVariant * counts.length }
}

/** Holm: the chance of even one false alarm among all is what it was for one. In the order given. */
export function holm(ps: readonly number[]): number[] {
  const order = ranked(ps)
  const adjusted = ps.map(() => 1)
  let largest = 0
  for (const [rank, at] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (ps.length - rank) * (ps[at] as number)))
    adjusted[at] = largest
  }
  return adjusted
}

/** Benjamini and Hochberg: the share of false alarms among all alarms is held. In the order given. */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  const order = ranked(ps)
  const adjusted = ps.map(() => 1)
  let smallest = 1
  for (let rank = order.length - 1; rank >= 0; rank--) {
    const at = order[rank] as number
    smallest = Math.min(smallest, ((ps[at] as number) * ps.length) / (rank + 1))
    adjusted[at] = smallest
  }
  return adjusted
}

const ranked = (ps: readonly number[]) => ps.map((_p, at) => at).sort((a, b) => (ps[a] as number) - (ps[b] as number))
