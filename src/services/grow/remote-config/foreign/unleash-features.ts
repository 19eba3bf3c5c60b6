import { isGroup, type Leaf, type Rule } from '../../../../kernel/targeting/rule.ts'
import { expandAll } from '../condition-rules.ts'
import type { Parameter, Template } from '../rules.ts'
import { drawApart, type Exported, exportEach, textOf, Unsayable } from './growthbook.ts'

interface Strategy {
  name: 'default' | 'flexibleRollout'
  parameters: Record<string, string>
  constraints: object[]
  variants?: object[]
}

const operators: Partial<Record<Leaf['op'], string>> = {
  eq: 'IN',
  in: 'IN',
  ne: 'NOT_IN',
  nin: 'NOT_IN',
  contains: 'STR_CONTAINS',
  startsWith: 'STR_STARTS_WITH',
  endsWith: 'STR_ENDS_WITH',
  gt: 'NUM_GT',
  gte: 'NUM_GTE',
  lt: 'NUM_LT',
  lte: 'NUM_LTE',
  semver_eq: 'SEMVER_EQ',
  semver_gt: 'SEMVER_GT',
  semver_lt: 'SEMVER_LT',
  before: 'DATE_BEFORE',
  after: 'DATE_AFTER',
}

/** A template as clients of Unleash take it. Switches are on or off, every other value is a variant. */
export function toUnleash(template: Template): Exported<Record<string, object>> {
  const expanded = expandAll(template.conditions)
  const order = template.conditions.map(one => one.name)
  const strategiesOf = (name: string): Strategy[] => {
    const found = expanded.get(name)
    if (!found || 'problem' in found) throw new Unsayable()
    const { rule } = found
    const ways = isGroup(rule) && rule.op === 'or' ? rule.args : [rule]
    return ways.map(strategyOf)
  }
  return exportEach(template, (key, parameter) => {
    const branches = order.filter(name => Object.hasOwn(parameter.conditional, name))
    const made = parameter.valueType === 'BOOLEAN' ? switchOf(parameter, branches) : null
    const strategies =
      made?.flatMap(name => (name === null ? [always] : strategiesOf(name))) ??
      variantsOf(parameter, branches, strategiesOf)
    return {
      ...{ name: key, type: 'release', project: 'default', enabled: strategies.length > 0, stale: false },
      ...{ description: parameter.description, impressionData: false, variants: [], dependencies: [], strategies },
    }
  })
}

const always: Strategy = { name: 'default', parameters: {}, constraints: [] }

/** The conditions that turn a switch on; null stands for everybody. One that turns it off cannot be said. */
function switchOf(parameter: Parameter, branches: readonly string[]): (string | null)[] {
  const isOn = (value: Parameter['default']) => textOf(value) === 'true'
  if (!branches.every(name => isOn(parameter.conditional[name]!))) throw new Unsayable()
  return isOn(parameter.default) ? [null] : [...branches]
}

function variantsOf(
  parameter: Parameter,
  branches: readonly string[],
  strategiesOf: (name: string) => Strategy[],
): Strategy[] {
  const type = { STRING: 'string', NUMBER: 'number', JSON: 'json', BOOLEAN: 'string' }[parameter.valueType]
  const variant = (name: string, value: Parameter['default']) => [
    { name, weight: 1_000, weightType: 'variable', stickiness: 'default', payload: { type, value: textOf(value) } },
  ]
  return [
    ...branches.flatMap(name =>
      strategiesOf(name).map(one => ({ ...one, variants: variant(name, parameter.conditional[name]!) })),
    ),
    { ...always, variants: variant('default', parameter.default) },
  ]
}

function strategyOf(rule: Rule): Strategy {
  const { draw, rest } = drawApart(rule)
  const constraints = rest.map(constraintOf)
  if (!draw) return { ...always, constraints }
  if (draw.lo !== 0 || !Number.isInteger(draw.hi)) throw new Unsayable()
  const stickiness = draw.unitAttr === 'targetingKey' ? 'default' : draw.unitAttr
  return { name: 'flexibleRollout', parameters: { rollout: `${draw.hi}`, stickiness, groupId: draw.seed }, constraints }
}

function constraintOf(rule: Rule): object {
  if (isGroup(rule)) {
    const [only] = rule.args
    if (rule.op !== 'not' || !only || isGroup(only)) throw new Unsayable()
    return { ...constraintOf(only), inverted: true }
  }
  const operator = operators[rule.op]
  const isTime = rule.op === 'before' || rule.op === 'after'
  if (!operator || (rule.attr === '$now') !== isTime) throw new Unsayable()
  const contextName = isTime ? 'currentTime' : rule.attr
  const values = [rule.value].flat().map(String)
  const base = { contextName, operator, inverted: false, caseInsensitive: rule.isCaseInsensitive === true }
  if (isTime) {
    const at = new Date(typeof rule.value === 'number' || rule.zone === undefined ? (rule.value as number) : Number.NaN)
    if (Number.isNaN(at.getTime())) throw new Unsayable()
    return { ...base, values: [], value: at.toISOString() }
  }
  return /^(NUM|SEMVER)/.test(operator) ? { ...base, values: [], value: values[0] } : { ...base, values }
}
