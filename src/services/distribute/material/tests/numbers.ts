import { wholeBasisPoints } from '../../../../kernel/bucketing.ts'
import { splitOf } from '../../../../kernel/statistics/checks.ts'
import { normalTail } from '../../../../kernel/statistics/distributions.ts'
import { effectOf } from '../../../../kernel/statistics/effects.ts'
import { unitsForShare } from '../../../../kernel/statistics/planning.ts'
import { twoProportionZ, wilson } from '../../../../kernel/statistics/proportions.ts'
import { proportionOf } from '../../../../kernel/statistics/samples.ts'
import { boundariesOf } from '../../../../kernel/statistics/spending.ts'
import type { ArmCounts, Findings, Looks } from '../tables.ts'
import { limits } from './rules.ts'

export type { ArmCounts, Findings } from '../tables.ts'

/** What a test is to find out. */
export interface Design {
  baseRateBp: number
  mdeBp: number
  confidencePercent: number
}

/** Between two looks at least so much of the information comes in: twenty at most. */
const lookStep = 0.05

/** By Bonferroni, for each of the variants. */
const alphaOf = ({ confidencePercent }: Design, variants: number) => (100 - confidencePercent) / 100 / variants

/** Devices that each arm needs to see the change if it is there. */
export function plannedPerArm(design: Design, variants: number): number {
  const base = design.baseRateBp / wholeBasisPoints
  const change = Math.min((base * design.mdeBp) / wholeBasisPoints, (1 - base) / 2)
  return Math.ceil(unitsForShare(base, change, { alpha: alphaOf(design, variants), power: limits.power }))
}

/**
 * What the counts say. The control comes first. Each variant is compared with it by the z of two proportions, at looks whose
 * bounds together spend no more than its part of alpha; what a look decided stays.
 */
export function findingsOf(
  design: Design,
  counts: readonly ArmCounts[],
  before: Findings | null,
  at: number,
  boundsOf = boundariesOf,
): Findings {
  const [control, ...variants] = counts as [ArmCounts, ...ArmCounts[]]
  const planned = plannedPerArm(design, variants.length)
  const alpha = alphaOf(design, variants.length)
  const fractions = variants.map(variant => informationOf(control, variant, planned))
  const looks: Record<string, Looks> = {}
  const compared = variants.map((variant, index) => {
    const id = variant.variantId ?? ''
    const known = before?.looks[id] ?? { fractions: [], verdict: null }
    const { arm, look } = compare(control, variant, fractions[index] ?? 0, known, {
      alpha,
      boundsOf,
      of: variants.length,
    })
    looks[id] = look
    return { ...rated(variant, 1 - alpha), ...arm }
  })
  const nothing = { lift: null, ciLow: null, ciHigh: null, pValue: null, verdict: null }
  return {
    at,
    plannedPerArm: planned,
    progress: Math.min(1, ...fractions),
    isSplitHealthy: splitOf(
      counts.map(one => one.impressions),
      counts.map(one => one.share),
    ).isHealthy,
    arms: [{ ...rated(control, 1 - alpha), ...nothing }, ...compared],
    looks,
  }
}

/** How much of what was planned for a comparison is in, 0 to 1. */
function informationOf(control: ArmCounts, variant: ArmCounts, planned: number): number {
  if (control.impressions === 0 || variant.impressions === 0) return 0
  const fraction = 2 / (1 / control.impressions + 1 / variant.impressions) / planned
  // What is missing of a whole is less than one device.
  return fraction > 1 - 0.5 / planned ? 1 : fraction
}

const counted = ({ impressions, installs }: ArmCounts) => ({ n: impressions, sum: installs })

function rated(arm: ArmCounts, confidence: number) {
  const { low, high } = wilson(counted(arm), confidence)
  const { variantId, share, impressions, installs } = arm
  const rate = impressions === 0 ? null : installs / impressions
  return { variantId, share, impressions, installs, rate, rateLow: low, rateHigh: high }
}

interface How {
  alpha: number
  boundsOf: typeof boundariesOf
  /** Comparisons altogether. */
  of: number
}

function compare(control: ArmCounts, variant: ArmCounts, fraction: number, known: Looks, { alpha, boundsOf, of }: How) {
  const last = known.fractions.at(-1) ?? 0
  const isLook = last < 1 && (fraction >= 1 || fraction - last >= lookStep)
  const z = twoProportionZ(counted(control), counted(variant))
  const fractions = isLook ? [...known.fractions, fraction] : known.fractions
  const bound = boundAt(fractions, fraction, alpha, boundsOf)
  const crossed = isLook && bound !== null && z !== null && Math.abs(z) >= bound
  const verdict = known.verdict ?? (crossed ? (z > 0 ? ('WINNER' as const) : ('LOSER' as const)) : null)
  const effect = effectOf(proportionOf(counted(control)), proportionOf(counted(variant)), 'relative')
  const half = effect && bound !== null ? bound * effect.error : null
  const open = (fractions.at(-1) ?? 0) >= 1 ? ('INCONCLUSIVE' as const) : ('NEED_MORE' as const)
  return {
    look: { fractions, verdict },
    arm: {
      lift: effect?.effect ?? null,
      ciLow: effect && half !== null ? effect.effect - half : null,
      ciHigh: effect && half !== null ? effect.effect + half : null,
      pValue: z === null ? null : Math.min(1, of * 2 * normalTail(Math.abs(z))),
      verdict: verdict ?? open,
    },
  }
}

/** What |z| has to reach now; where no look was due, what it would have to if this were one. Null while nothing is in. */
function boundAt(
  looks: readonly number[],
  fraction: number,
  alpha: number,
  boundsOf: typeof boundariesOf,
): number | null {
  if (fraction < lookStep) return null
  const all = fraction > (looks.at(-1) ?? 0) ? [...looks, fraction] : looks
  return boundsOf(all, alpha).at(-1) ?? null
}
