import type { RuleFields, RuleFieldType } from '../engine-types.ts'
import type { Conversion, TruthPlan, ValuePlan } from './plan.ts'
import { isConvertible } from './values.ts'

type Plan = TruthPlan | ValuePlan
type Converted = Extract<ValuePlan, { kind: Conversion }>

export interface Inexact {
  node: Converted['node']
  conversion: Conversion
  type: RuleFieldType
}

/** Conversions of fields that SQL does not do as conditions do: their rows would never be shown. */
export function inexactIn(plan: Plan, fields: RuleFields): Inexact[] {
  const found = partsOf(plan).flatMap(part => inexactIn(part, fields))
  if (!('node' in plan) || plan.of.kind !== 'column') return found
  const type = fields.get(plan.of.place)
  // What texts convert to depends on each text; sizes and cases of other things are errors in conditions, too.
  const isMeant = plan.kind === 'string' || plan.kind === 'int' || plan.kind === 'double'
  if (type === undefined || !isMeant || isConvertible(plan.kind, type) || type === 'bytes') return found
  return [...found, { node: plan.node, conversion: plan.kind, type }]
}

function partsOf(plan: Plan): Plan[] {
  const parts: Plan[] = []
  for (const value of Object.values(plan) as unknown[]) {
    for (const one of Array.isArray(value) ? value : [value]) if (isPlan(one)) parts.push(one)
  }
  return parts
}

function isPlan(value: unknown): value is Plan {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
}
