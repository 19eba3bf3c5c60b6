import type { Json, Leaf, Rule } from '../../../../kernel/targeting/rule.ts'
import { isKey, type Parameter, tagColors } from '../rules.ts'
import { type Imported, listOf, objectOf, recordOf, textOf } from './imported.ts'

interface Strategy {
  name: string
  parameters: Record<string, unknown>
  constraints: unknown[]
  segments: unknown[]
  variants: unknown[]
  disabled: boolean
}

interface Feature {
  name: string
  description: string
  enabled: boolean
  strategies: Strategy[]
  variants: unknown[]
}

const strategyOf = (value: unknown): Strategy => {
  const one = objectOf(value, 'a strategy')
  return {
    name: textOf(one['name'] ?? one['strategyName']),
    parameters: recordOf(one['parameters']),
    constraints: listOf(one['constraints']),
    segments: listOf(one['segments']),
    variants: listOf(one['variants']),
    disabled: one['disabled'] === true,
  }
}

/** Features of either form: what clients get, or what an instance exports for one environment. */
function featuresOf(file: Record<string, unknown>): Feature[] {
  const features = listOf(file['features']).map(one => objectOf(one, 'a feature'))
  const strategies = listOf(file['featureStrategies']).map(one => objectOf(one, 'a strategy'))
  const environments = listOf(file['featureEnvironments']).map(one => objectOf(one, 'an environment'))
  return features.map(one => {
    const name = textOf(one['name'])
    const environment = environments.find(two => two['featureName'] === name)
    const own = strategies.filter(two => two['featureName'] === name)
    return {
      name,
      description: textOf(one['description']).slice(0, 256),
      enabled: (environment?.['enabled'] ?? one['enabled']) === true,
      strategies: (own.length > 0 ? own : listOf(one['strategies'])).map(strategyOf),
      variants: listOf(environment?.['variants'] ?? one['variants']),
    }
  })
}

const operators: Record<string, Leaf['op']> = {
  IN: 'in',
  NOT_IN: 'nin',
  STR_CONTAINS: 'contains',
  STR_STARTS_WITH: 'startsWith',
  STR_ENDS_WITH: 'endsWith',
  NUM_EQ: 'eq',
  NUM_GT: 'gt',
  NUM_GTE: 'gte',
  NUM_LT: 'lt',
  NUM_LTE: 'lte',
  DATE_AFTER: 'after',
  DATE_BEFORE: 'before',
  SEMVER_EQ: 'semver_eq',
  SEMVER_GT: 'semver_gt',
  SEMVER_LT: 'semver_lt',
  REGEX: 'regex',
}

/** Features of Unleash: each is a switch, each of its strategies a condition that turns it on. */
export function importUnleash(source: unknown, seedOf: () => string): Imported {
  const file = objectOf(source, 'the file')
  const imported: Imported = { template: { conditions: [], parameters: {}, groups: {} }, notMapped: [], notes: [] }
  const segments = new Map(
    listOf(file['segments']).map(one => {
      const segment = objectOf(one, 'a segment')
      return [String(segment['id']), listOf(segment['constraints'])] as const
    }),
  )
  for (const feature of featuresOf(file)) take(feature, segments, seedOf, imported)
  return imported
}

function take(
  feature: Feature,
  segments: ReadonlyMap<string, unknown[]>,
  seedOf: () => string,
  imported: Imported,
): void {
  const { template, notMapped, notes } = imported
  const key = keyOf(feature.name)
  if (!isKey(key) || Object.hasOwn(template.parameters, key)) {
    notMapped.push({ thing: 'parameter', name: feature.name, reason: 'its name is no key, or taken', source: '' })
    return
  }
  if (key !== feature.name) notes.push({ thing: 'parameter', name: key, note: 'RENAMED' })
  const conditional: Parameter['conditional'] = {}
  const { enabled, strategies } = feature
  if (enabled && strategies.length === 0) conditional['*'] = { value: 'true' }
  strategies.forEach((strategy, at) => {
    const name = `${feature.name} ${at + 1}`.slice(0, 100)
    const seed = seedOf()
    const found = ruleOf(strategy, segments, feature.name)
    if (typeof found === 'string') {
      notMapped.push({ thing: 'condition', name, reason: found, source: JSON.stringify(strategy).slice(0, 1_000) })
      return
    }
    if (strategy.disabled || !enabled) {
      const reason = 'is switched off there'
      notMapped.push({ thing: 'condition', name, reason, source: JSON.stringify(strategy).slice(0, 1_000) })
      return
    }
    if (JSON.stringify(found).includes('"percent"')) notes.push({ thing: 'condition', name, note: 'DRAWS_ANEW' })
    const tagColor = tagColors[template.conditions.length % tagColors.length]!
    template.conditions.push({ name, rule: found, tagColor, seed, description: `Unleash: ${strategy.name}` })
    conditional[name] = { value: 'true' }
  })
  const variants = [...feature.variants, ...strategies.flatMap(one => one.variants)]
  if (variants.length > 0) {
    const reason = 'its variants are no part of a switch'
    notMapped.push({ thing: 'value', name: feature.name, reason, source: JSON.stringify(variants).slice(0, 1_000) })
  }
  const isAlways = Object.hasOwn(conditional, '*')
  delete conditional['*']
  template.parameters[key] = {
    ...{ valueType: 'BOOLEAN', schema: null, default: { value: isAlways ? 'true' : 'false' }, conditional },
    ...{ group: null, description: feature.description, owner: null, expiresAt: null },
  }
}

const keyOf = (name: string) => name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(\d)/, '_$1')

/** A strategy as a rule, or why it is none. */
function ruleOf(strategy: Strategy, segments: ReadonlyMap<string, unknown[]>, feature: string): Rule | string {
  const rules: Rule[] = []
  const own = activationOf(strategy, feature)
  if (typeof own === 'string') return own
  if (own) rules.push(own)
  const constraints = [...strategy.constraints]
  for (const id of strategy.segments) {
    const found = segments.get(String(id))
    if (!found) return `the segment ${String(id)} is not in the file`
    constraints.push(...found)
  }
  for (const constraint of constraints) {
    const rule = constraintOf(objectOf(constraint, 'a constraint'))
    if (typeof rule === 'string') return rule
    rules.push(rule)
  }
  return rules.length === 1 ? rules[0]! : { op: 'and', args: rules }
}

function activationOf({ name, parameters }: Strategy, feature: string): Rule | null | string {
  if (name === 'default') return null
  if (name === 'userWithId') {
    const ids = textOf(parameters['userIds'])
      .split(',')
      .map(one => one.trim())
    return { attr: 'userId', op: 'in', value: ids.filter(Boolean) }
  }
  const isGradual = name === 'flexibleRollout' || /^gradualRollout(UserId|SessionId)$/.test(name)
  if (!isGradual) return `the strategy ${name} has no like here`
  const hi = Number(parameters['rollout'] ?? parameters['percentage'])
  if (!(hi >= 0 && hi <= 100)) return 'its share is no number'
  if (hi === 100) return null
  const by = textOf(parameters['stickiness']) || (name.endsWith('SessionId') ? 'sessionId' : 'userId')
  if (by === 'random') return 'it draws anew for each request'
  const unitAttr = by === 'default' ? 'targetingKey' : by
  const value = { ns: 'rollout' as const, seed: textOf(parameters['groupId']) || feature, unitAttr, lo: 0, hi }
  return { attr: unitAttr, op: 'percent', value }
}

function constraintOf(one: Record<string, unknown>): Rule | string {
  const operator = textOf(one['operator'])
  const op = operators[operator]
  if (!op) return `the operator ${operator} has no like here`
  const contextName = textOf(one['contextName'])
  const attr = contextName === 'currentTime' ? '$now' : contextName
  const values = listOf(one['values']).map(String)
  const single = one['value'] === undefined || one['value'] === '' ? values[0] : String(one['value'])
  const cased =
    one['caseInsensitive'] === true && operator.startsWith('STR_') ? ({ isCaseInsensitive: true } as const) : {}
  const leaf = (value: Json): Rule => ({ attr, op, value, ...cased })
  const made = operator.startsWith('STR_')
    ? anyOf(values.map(leaf))
    : op === 'in' || op === 'nin'
      ? leaf(values)
      : leaf(operator.startsWith('NUM_') ? Number(single) : (single ?? ''))
  return one['inverted'] === true ? { op: 'not', args: [made] } : made
}

const anyOf = (rules: Rule[]): Rule => (rules.length === 1 ? rules[0]! : { op: 'or', args: rules })
