import { unitsForMean, unitsForShare } from '../../../../kernel/statistics/planning.ts'

export interface PlanWish {
  /** The share of units that do it now, 0 to 1; or the mean of a unit with its standard deviation. */
  base: { share: number } | { mean: number; deviation: number }
  /** The smallest relative change that matters. */
  mde: number
  alpha: number
  power: number
  variants: number
  /** Goals that are corrected for together. */
  goals: number
  isCorrected: boolean
  /** Part of the variance that what was before explains, 0 to 1. */
  varianceReduction: number
  unitsPerDay: number
}

export interface Planned {
  unitsOfVariant: number
  units: number
  days: number | null
  /** What each comparison is held to. */
  alpha: number
}

/** Units and days to see a change. Corrected as Bonferroni would: Holm needs no more, and at the first step as much. */
export function planOf(wish: PlanWish): Planned {
  const { base, mde, power, variants, goals, isCorrected, varianceReduction, unitsPerDay } = wish
  const alpha = isCorrected ? wish.alpha / Math.max(1, goals * (variants - 1)) : wish.alpha
  const plan = { alpha, power }
  const plain =
    'share' in base
      ? unitsForShare(base.share, changeOfShare(base.share, mde), plan)
      : unitsForMean(base.deviation ** 2, base.mean * mde, plan)
  const unitsOfVariant = Math.ceil(plain * (1 - varianceReduction))
  const units = unitsOfVariant * variants
  return { unitsOfVariant, units, alpha, days: unitsPerDay > 0 ? Math.ceil(units / unitsPerDay) : null }
}

/** No share is above one: where the change would lead there, the other way is as large. */
const changeOfShare = (share: number, mde: number) => (share * (1 + mde) < 1 ? share * mde : -share * mde)
