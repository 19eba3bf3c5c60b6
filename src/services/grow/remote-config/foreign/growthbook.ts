import { isGroup, type Json, type Leaf, type PercentValue, type Rule } from '../../../../kernel/targeting/rule.ts'
import { expandAll } from '../condition-rules.ts'
import { type Parameter, type Template, typedValue } from '../rules.ts'

/** What cannot be said in the other's words: the parameter is left out, and named. */
export class Unsayable extends Error {}

export interface Exported<T> {
  features: T
  /** Keys that the other's clients would evaluate otherwise. */
  left: string[]
}

interface GrowthBookRule {
  condition?: Json
  force: unknown
  range?: [number, number]
  hashAttribute?: string
  seed?: string
  hashVersion?: 2
}

const sameOps: Partial<Record<Leaf['op'], string>> = {
  eq: '$eq',
  ne: '$ne',
  in: '$in',
  nin: '$nin',
  gt: '$gt',
  gte: '$gte',
  lt: '$lt',
  lte: '$lte',
  exists: '$exists',
  regex: '$regex',
  semver_eq: '$veq',
  semver_gt: '$vgt',
  semver_gte: '$vgte',
  semver_lt: '$vlt',
  semver_lte: '$vlte',
}

/** A template as clients of GrowthBook take it. They draw lots by their own hash: as many users, but others. */
export function toGrowthBook(template: Template): Exported<Record<string, object>> {
  const rules = new Map(
    [...expandAll(template.conditions)].flatMap(([name, one]) => ('rule' in one ? [[name, one.rule]] : [])),
  )
  const order = template.conditions.map(one => one.name)
  return exportEach(template, (_key, parameter) => featureOf(parameter, order, rules as Map<string, Rule>))
}

/** Each parameter by itself; what cannot be said is left out. */
export function exportEach<T>(
  template: Template,
  make: (key: string, parameter: Parameter) => T,
): Exported<Record<string, T>> {
  const features: Record<string, T> = {}
  const left: string[] = []
  for (const key of Object.keys(template.parameters).sort()) {
    try {
      features[key] = make(key, template.parameters[key]!)
    } catch (error) {
      if (!(error instanceof Unsayable)) throw error
      left.push(key)
    }
  }
  return { features, left }
}

/** The text of a value; the app's own default has none. */
export function textOf(value: Parameter['default']): string {
  if ('value' in value) return value.value
  throw new Unsayable()
}

function featureOf(parameter: Parameter, order: readonly string[], rules: ReadonlyMap<string, Rule>): object {
  const typedOf = (value: Parameter['default']) => typedValue(parameter.valueType, textOf(value))
  const branches = order.filter(name => Object.hasOwn(parameter.conditional, name))
  return {
    defaultValue: typedOf(parameter.default),
    rules: branches.map(name => forced(rules.get(name), typedOf(parameter.conditional[name]!))),
  }
}

function forced(rule: Rule | undefined, force: unknown): GrowthBookRule {
  if (!rule) throw new Unsayable()
  const { draw, rest } = drawApart(rule)
  const condition = rest.length === 0 ? {} : { condition: conditionOf({ op: 'and', args: rest }) }
  if (!draw) return { ...condition, force }
  const { unitAttr, seed, lo, hi } = draw
  return { ...condition, force, range: [lo / 100, hi / 100], hashAttribute: unitAttr, seed, hashVersion: 2 }
}

/** The one draw of a rule, and what must hold besides. */
export function drawApart(rule: Rule): { draw: PercentValue | null; rest: Rule[] } {
  const parts = isGroup(rule) && rule.op === 'and' ? rule.args : [rule]
  const draws = parts.filter((one): one is Leaf => !isGroup(one) && one.op === 'percent')
  if (draws.length > 1) throw new Unsayable()
  const [draw] = draws
  return {
    draw: draw ? (draw.value as unknown as PercentValue) : null,
    rest: parts.filter(one => one !== draw),
  }
}

function conditionOf(rule: Rule): Json {
  if (!isGroup(rule)) return leafOf(rule)
  if (rule.op === 'not') return { $not: conditionOf(rule.args[0]) }
  return { [rule.op === 'and' ? '$and' : '$or']: rule.args.map(conditionOf) }
}

function leafOf({ attr, op, value, isCaseInsensitive }: Leaf): Json {
  const same = sameOps[op]
  if (isCaseInsensitive || attr === '$now' || op === 'percent') throw new Unsayable()
  if (same) return { [attr]: { [same]: value ?? null } }
  const literal = String(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (op === 'contains') return { [attr]: { $regex: literal } }
  if (op === 'startsWith') return { [attr]: { $regex: `^${literal}` } }
  if (op === 'endsWith') return { [attr]: { $regex: `${literal}$` } }
  throw new Unsayable()
}
