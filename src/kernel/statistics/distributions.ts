/**
 * Tails and quantiles of the distributions that experiments are judged by. Upper tails are computed as such, never as one
 * less the rest: a tail of 1e-149 has its digits.
 */

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]
const tiny = 1e-300
const enough = 1e-15
const mostSteps = 10_000

/** The logarithm of the gamma function, for arguments above zero (Lanczos, g = 7). */
export function logGamma(value: number): number {
  if (value < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * value)) - logGamma(1 - value)
  const at = value - 1
  const base = at + 7.5
  let sum = lanczos[0] as number
  for (let i = 1; i < lanczos.length; i++) sum += (lanczos[i] as number) / (at + i)
  return 0.5 * Math.log(2 * Math.PI) + (at + 0.5) * Math.log(base) - base + Math.log(sum)
}

/** A continued fraction by Lentz: `termOf(step)` gives a numerator and a denominator, the first is step 1. */
function continued(first: number, termOf: (step: number) => readonly [number, number]): number {
  let value = first === 0 ? tiny : first
  let up = value
  let down = 0
  for (let step = 1; step <= mostSteps; step++) {
    const [numerator, denominator] = termOf(step)
    down = denominator + numerator * down
    up = denominator + numerator / up
    if (down === 0) down = tiny
    if (up === 0) up = tiny
    down = 1 / down
    const change = up * down
    value *= change
    if (Math.abs(change - 1) < enough) break
  }
  return value
}

/** The upper part of the regularised incomplete gamma function, Q(shape, from). */
export function gammaTail(shape: number, from: number): number {
  if (from <= 0) return 1
  const scale = Math.exp(shape * Math.log(from) - from - logGamma(shape))
  if (from > shape + 1) {
    const fraction = continued(from + 1 - shape, step => [-step * (step - shape), from + 2 * step + 1 - shape])
    return scale / fraction
  }
  let term = 1 / shape
  let sum = term
  for (let step = 1; step <= mostSteps && term > sum * enough; step++) {
    term *= from / (shape + step)
    sum += term
  }
  return 1 - scale * sum
}

/** The regularised incomplete beta function, I(a, b) up to `at`. */
export function incompleteBeta(a: number, b: number, at: number): number {
  if (at <= 0) return 0
  if (at >= 1) return 1
  if (at > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - at)
  const scale = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(at) + b * Math.log1p(-at) - Math.log(a),
  )
  const fraction = continued(1, step => {
    const half = Math.floor(step / 2)
    const numerator =
      step % 2 === 0
        ? (half * (b - half) * at) / ((a + step - 1) * (a + step))
        : (-(a + half) * (a + b + half) * at) / ((a + step - 1) * (a + step))
    return [numerator, 1]
  })
  return scale / fraction
}

/** How likely a standard normal is above `z`. */
export function normalTail(z: number): number {
  const tail = 0.5 * gammaTail(0.5, (z * z) / 2)
  return z >= 0 ? tail : 1 - tail
}

/** The density of the standard normal. */
export const normalDensity = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)

/** How likely a chi-square of so many degrees of freedom is above a value. */
export const chiSquareTail = (value: number, freedom: number): number => gammaTail(freedom / 2, value / 2)

/** How likely Student's t of so many degrees of freedom, which need not be whole, is above a value. */
export function studentTail(value: number, freedom: number): number {
  if (freedom > 1e8) return normalTail(value)
  const tail = 0.5 * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + value * value))
  return value >= 0 ? tail : 1 - tail
}

/** The value above which a falling tail is `probability`; the half in the middle is zero. Between two bounds, by false position. */
function above(tail: (value: number) => number, probability: number): number {
  if (!(probability > 0 && probability < 1)) return Number.NaN
  if (probability > 0.5) return -above(tail, 1 - probability)
  // Logarithms of tails are nearly straight.
  const wanted = Math.log(probability)
  const missOf = (value: number) => Math.log(tail(value)) - wanted
  let [low, missLow] = [0, Math.log(0.5) - wanted]
  let high = 2
  while (tail(high) > probability && high < 1e12) high *= 2
  let missHigh = missOf(high)
  for (let step = 0; step < 200 && high - low > enough * high && missLow > 0; step++) {
    const next = (low * missHigh - high * missLow) / (missHigh - missLow)
    const miss = missOf(next)
    if (miss === 0 || next === low || next === high) return next
    // The bound that stays counts for half, so that both come nearer.
    if (miss > 0) [low, missLow, missHigh] = [next, miss, missHigh / 2]
    else [high, missHigh, missLow] = [next, miss, missLow / 2]
  }
  return (low + high) / 2
}

/** The value that a standard normal exceeds so likely: 1.96 for 0.025. */
export const normalAbove = (probability: number): number => above(normalTail, probability)

/** The value that Student's t exceeds so likely. */
export const studentAbove = (probability: number, freedom: number): number =>
  above(value => studentTail(value, freedom), probability)
