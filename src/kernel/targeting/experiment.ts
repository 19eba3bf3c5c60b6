import { isWithin, microOf, microPercent, unitOf, variantAt } from './bucket.ts'
import type { CompiledRule, EvaluationContext } from './evaluate.ts'

/** What decides about who takes part in an experiment, and as what. Its seeds never change, so that nobody moves. */
export interface Drawing {
  unitAttr: string
  seed: string
  /** Of those whom the rule and the layer leave, in percent. */
  exposurePercent: number
  /** The part of a layer that is this experiment's, from up to below, in percent. */
  layer: { seed: string; unitAttr: string; from: number; to: number } | null
  /** Those who take part in no experiment at all. */
  holdout: { seed: string; unitAttr: string; percent: number } | null
  variants: readonly { key: string; weight: number }[]
  /** Units that have a variant without being drawn. */
  testUnits: Readonly<Record<string, string>>
}

/** The place of a variant, or why there is none; in the order in which it is asked. */
export type Draw =
  | { variant: number; why: 'test' | 'kept' | 'drawn' }
  | { variant: -1; why: 'noUnit' | 'heldOut' | 'notTargeted' | 'otherPart' | 'notExposed' | 'noWeight' }

const none = (why: Extract<Draw, { variant: -1 }>['why']): Draw => ({ variant: -1, why })

/** The canonical text of what an experiment draws by; undefined where the context does not have it. */
export function unitIn({ attributes }: Pick<EvaluationContext, 'attributes'>, unitAttr: string): string | undefined {
  return Object.hasOwn(attributes, unitAttr) ? unitOf(attributes[unitAttr]) : undefined
}

/**
 * Which variant a context gets (brief growth 11.2): holdout, rule, layer, exposure, then the variant it was seen in, else
 * one by weight. `rule` is null where everybody is meant; `kept` is the key of the variant that the unit was seen in.
 */
export function drawVariant(
  drawing: Drawing,
  rule: CompiledRule | null,
  context: EvaluationContext,
  kept?: string,
): Draw {
  const { variants, testUnits, holdout, layer, seed } = drawing
  const unit = unitIn(context, drawing.unitAttr)
  if (unit === undefined) return none('noUnit')
  const placeOf = (key: string | undefined) => variants.findIndex(one => one.key === key)
  const test = Object.hasOwn(testUnits, unit) ? placeOf(testUnits[unit]) : -1
  if (test >= 0) return { variant: test, why: 'test' }
  if (holdout && isWithin('holdout', holdout.seed, unitIn(context, holdout.unitAttr), holdout.percent))
    return none('heldOut')
  if (rule && !rule.matches(context)) return none('notTargeted')
  if (layer && !isInPart(layer, unitIn(context, layer.unitAttr))) return none('otherPart')
  if (!isWithin('rollout', seed, unit, drawing.exposurePercent)) return none('notExposed')
  const known = placeOf(kept)
  if (known >= 0) return { variant: known, why: 'kept' }
  const weights = variants.map(one => one.weight)
  const drawn = variantAt('variant', seed, unit, weights)
  return drawn < 0 ? none('noWeight') : { variant: drawn, why: 'drawn' }
}

function isInPart({ seed, from, to }: NonNullable<Drawing['layer']>, unit: string | undefined): boolean {
  if (unit === undefined) return false
  const place = microPercent('layer', seed, unit)
  return place >= microOf(from) && place < microOf(to)
}
