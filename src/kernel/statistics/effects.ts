import { normalAbove, normalDensity, normalTail, studentAbove, studentTail } from './distributions.ts'
import { covarianceOf, meanOf, type PairedSums, type Sample } from './samples.ts'

/** `relative`: as a part of the control's mean; `absolute`: in the metric's own unit. */
export type Scale = 'relative' | 'absolute'

/** By how much the variant differs from the control, with the standard error of that. */
export interface Effect {
  scale: Scale
  effect: number
  error: number
  /** Units of both arms. */
  n: number
  /** Degrees of freedom by Welch. */
  freedom: number
}

export interface Interval {
  low: number
  high: number
}

/** Compares two samples; null where there is nothing to compare: no units, no spread, or a control of zero. */
export function effectOf(control: Sample, variant: Sample, scale: Scale): Effect | null {
  if (control.n < 2 || variant.n < 2) return null
  const [a, b] = [control.variance / control.n, variant.variance / variant.n]
  const difference = variant.mean - control.mean
  const shared = { scale, n: control.n + variant.n, freedom: welch(control, variant) }
  if (!(a + b > 0)) return null
  if (scale === 'absolute') return { ...shared, effect: difference, error: Math.sqrt(a + b) }
  if (control.mean === 0) return null
  const square = b / control.mean ** 2 + (a * variant.mean ** 2) / control.mean ** 4
  return { ...shared, effect: difference / Math.abs(control.mean), error: Math.sqrt(square) }
}

function welch(control: Sample, variant: Sample): number {
  const [a, b] = [control.variance / control.n, variant.variance / variant.n]
  return (a + b) ** 2 / (a ** 2 / (control.n - 1) + b ** 2 / (variant.n - 1))
}

export interface Adjusted {
  effect: Effect
  /** Slope of the metric on what it was before. */
  theta: number
  /** Part of the variance that what was before explains, 0 to 1. */
  varianceReduction: number
}

/**
 * The same comparison with what the metric was before taken out (CUPED), one slope for both arms. A lift is still a part of
 * the control's plain mean. Null where nothing can be compared, or nothing was before.
 */
export function adjustedEffectOf(control: PairedSums, variant: PairedSums, scale: Scale): Adjusted | null {
  const [yA, yB] = [meanOf(control), meanOf(variant)]
  const [xA, xB] = [meanOf({ n: control.n, ...control.before }), meanOf({ n: variant.n, ...variant.before })]
  const [cA, cB] = [covarianceWithin(control), covarianceWithin(variant)]
  const plain = effectOf(yA, yB, scale)
  const theta = slopeOf(control, variant)
  if (plain === null || theta === null) return null
  const difference = yB.mean - yA.mean - theta * (xB.mean - xA.mean)
  const ofVariant = yB.variance + theta ** 2 * xB.variance - 2 * theta * cB
  const shrunk = (metric: number, before: number, both: number, lift: number) =>
    metric * lift ** 2 + theta ** 2 * before - 2 * theta * both * lift
  const lift = scale === 'relative' ? yB.mean / yA.mean : 1
  const size = scale === 'relative' ? Math.abs(yA.mean) : 1
  const square = (ofVariant / variant.n + shrunk(yA.variance, xA.variance, cA, lift) / control.n) / size ** 2
  const error = Math.sqrt(Math.max(0, square))
  if (!(error > 0)) return null
  return {
    effect: { ...plain, effect: difference / size, error },
    theta,
    varianceReduction: Math.max(0, 1 - (error / plain.error) ** 2),
  }
}

const covarianceWithin = ({ n, sum, before }: PairedSums) => covarianceOf(n, sum, before.sum, before.sumOfProducts)

/** Over both arms as one sample. */
function slopeOf(control: PairedSums, variant: PairedSums): number | null {
  const n = control.n + variant.n
  const [a, b] = [control.before, variant.before]
  const before = { n, sum: a.sum + b.sum, sumOfSquares: a.sumOfSquares + b.sumOfSquares }
  const { variance } = meanOf(before)
  if (!(variance > 0)) return null
  const products = a.sumOfProducts + b.sumOfProducts
  return covarianceOf(n, control.sum + variant.sum, before.sum, products) / variance
}

export interface Judged {
  interval: Interval
  p: number
}

/** Fixed horizon: Welch's t, two-sided. To be looked at once, when as many units are there as were planned. */
export function judgeOnce({ effect, error, freedom }: Effect, alpha: number): Judged {
  const half = studentAbove(alpha / 2, freedom) * error
  return { interval: around(effect, half), p: Math.min(1, 2 * studentTail(Math.abs(effect / error), freedom)) }
}

/** Asymptotic confidence sequence: may be looked at as often as one likes. It is tightest at `tunedFor` units. */
export function judgeAlways({ effect, error, n }: Effect, alpha: number, tunedFor: number): Judged {
  const rho = rhoOf(alpha, tunedFor)
  const spread = n * rho ** 2 + 1
  const half = error * Math.sqrt(n) * Math.sqrt((2 * spread * Math.log(Math.sqrt(spread) / alpha)) / (n * rho) ** 2)
  const z = effect / error
  const p = Math.min(1, Math.sqrt(spread) * Math.exp((-(rho ** 2) * z ** 2 * n) / (2 * spread)))
  return { interval: around(effect, half), p }
}

/** One side of it, for guardrails: how low, and how high, the effect may be; each bound holds for itself. */
export function boundsAlways({ effect, error, n }: Effect, alpha: number, tunedFor: number): Interval {
  const rho = rhoOf(2 * alpha, tunedFor)
  const spread = n * rho ** 2 + 1
  const half =
    error * Math.sqrt(n) * Math.sqrt(((2 * spread) / (n * rho) ** 2) * Math.log(1 + Math.sqrt(spread) / (2 * alpha)))
  return around(effect, half)
}

const rhoOf = (alpha: number, tunedFor: number) =>
  Math.sqrt((-2 * Math.log(alpha) + Math.log(-2 * Math.log(alpha) + 1)) / tunedFor)
const around = (middle: number, half: number): Interval => ({ low: middle - half, high: middle + half })

/** What was believed before: a normal of this mean and variance. */
export interface Prior {
  mean: number
  variance: number
}

export interface Believed {
  mean: number
  deviation: number
  interval: Interval
  /** How likely the variant is better, 0 to 1, where more is better. */
  chanceToWin: number
  /** What is lost on average by shipping the variant, and by keeping the control, on the effect's scale. */
  loss: { ofShipping: number; ofKeeping: number }
}

/** The posterior of an effect; without a prior every effect was as likely as any other. */
export function believe({ effect, error }: Effect, alpha: number, prior?: Prior): Believed {
  const precision = 1 / error ** 2 + (prior ? 1 / prior.variance : 0)
  const mean = (effect / error ** 2 + (prior ? prior.mean / prior.variance : 0)) / precision
  const deviation = Math.sqrt(1 / precision)
  const z = mean / deviation
  const bend = deviation * normalDensity(z)
  return {
    mean,
    deviation,
    interval: around(mean, normalAbove(alpha / 2) * deviation),
    chanceToWin: normalTail(-z),
    loss: { ofShipping: bend - mean * normalTail(z), ofKeeping: bend + mean * normalTail(-z) },
  }
}
