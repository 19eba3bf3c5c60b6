import { normalAbove, normalDensity, normalTail } from './distributions.ts'

/** Even, for Simpson's rule. */
const steps = 240
const halvings = 44
/** Beyond so many deviations a normal has nothing that counts. */
const reach = 8

/**
 * How much of a two-sided `alpha` may be spent by the time that a `fraction` of the planned information is in, above 0 to 1:
 * hardly anything early, all of it at the end; each side spends its half (Lan and DeMets 1983, after O'Brien and Fleming).
 */
export function spentBy(fraction: number, alpha: number): number {
  return fraction >= 1 ? alpha : 4 * normalTail(normalAbove(alpha / 4) / Math.sqrt(fraction))
}

/**
 * What |z| has to reach at each look, so that looking as often costs no more than `alpha` altogether. `fractions` rise, from
 * above 0 up to 1: the information that was in at each look. By the recursion of Armitage, McPherson and Rowe (1969) over
 * the sum whose increments are independent.
 */
export function boundariesOf(fractions: readonly number[], alpha: number): number[] {
  const boundaries: number[] = []
  let before: Density | null = null
  for (const [at, fraction] of fractions.entries()) {
    const last = fractions[at - 1] ?? 0
    const toSpend = spentBy(fraction, alpha) - (at === 0 ? 0 : spentBy(last, alpha))
    const deviation = Math.sqrt(fraction - last)
    const edge: number = before === null ? deviation * normalAbove(toSpend / 2) : edgeFor(before, deviation, toSpend)
    boundaries.push(edge / Math.sqrt(fraction))
    before = densityWithin(before, deviation, Math.min(edge, reach * Math.sqrt(fraction)))
  }
  return boundaries
}

/** Of the sum while nothing was crossed yet: values on a grid from `-edge` to `edge`. */
interface Density {
  points: Float64Array
  /** The density times the weight of Simpson's rule. */
  masses: Float64Array
}

const weightOf = (at: number, width: number) => (width / 3) * (at === 0 || at === steps ? 1 : at % 2 === 1 ? 4 : 2)

function densityWithin(before: Density | null, deviation: number, edge: number): Density {
  const width = (2 * edge) / steps
  const points = Float64Array.from({ length: steps + 1 }, (_, at) => at * width - edge)
  const masses = points.map((point, at) => weightOf(at, width) * densityAt(before, deviation, point))
  return { points, masses }
}

function densityAt(before: Density | null, deviation: number, point: number): number {
  if (before === null) return normalDensity(point / deviation) / deviation
  let sum = 0
  for (const [at, from] of before.points.entries()) {
    sum += (before.masses[at] as number) * normalDensity((point - from) / deviation)
  }
  return sum / deviation
}

/** Where the sum leaves so likely, on both sides together, which are alike. */
function edgeFor(before: Density, deviation: number, probability: number): number {
  const leaves = (edge: number) => {
    let sum = 0
    for (const [at, from] of before.points.entries()) {
      sum += (before.masses[at] as number) * normalTail((edge - from) / deviation)
    }
    return 2 * sum
  }
  let [low, high] = [0, (before.points.at(-1) as number) + reach * deviation]
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2
    if (leaves(middle) > probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}
