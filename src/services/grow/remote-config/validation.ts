import { setImmediate } from 'node:timers/promises'
import { problemsOf as ruleProblems } from '../../../kernel/targeting/rule.ts'
import { type Expanded, expandAll } from './condition-rules.ts'
import {
  type Condition,
  isKey,
  limits,
  type Parameter,
  type Template,
  tagColors,
  typedValue,
  type Value,
  valueCharsOf,
  valueProblem,
} from './rules.ts'
import { schemaFailure, schemaProblem } from './schema-check.ts'

export type Fault = 'key' | 'value' | 'condition' | 'limit' | 'rule' | 'schema'

/** One thing that keeps a template from being published. */
export interface Problem {
  pointer: string
  fault: Fault
  message: string
}

const mostTold = 200
/** Schemas are compiled: between so many parameters others have their turn. */
const atOnce = 50

const part = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Everything that keeps a template from being published, the first 200 of it. */
export async function problemsOf(template: Template): Promise<Problem[]> {
  const found: Problem[] = [...limitProblems(template), ...conditionProblems(template.conditions)]
  const names = new Set(template.conditions.map(one => one.name))
  let checked = 0
  for (const [name, parameter] of Object.entries(template.parameters)) {
    found.push(...parameterProblems(name, parameter, names))
    if (parameter.group !== null && !Object.hasOwn(template.groups, parameter.group)) {
      const message = `the group ${parameter.group} is not there`
      found.push({ pointer: `/parameters/${part(name)}/group`, fault: 'condition', message })
    }
    if (found.length >= mostTold) break
    if (++checked % atOnce === 0) await setImmediate()
  }
  return found.slice(0, mostTold)
}

/** What is wrong with a parameter by itself, and with its conditions where their names are given. */
export function parameterProblems(
  name: string,
  parameter: Parameter,
  conditions: ReadonlySet<string> | null,
): Problem[] {
  const at = `/parameters/${part(name)}`
  const found: Problem[] = []
  if (!isKey(name)) {
    const message = `a key has letters, digits and underscores, begins with no digit, and is at most ${limits.keyLength} long, not ${name.slice(0, 60)}`
    found.push({ pointer: at, fault: 'key', message })
  }
  if (parameter.schema) {
    const problem = schemaProblem(parameter.schema)
    if (problem !== null)
      return [...found, { pointer: `${at}/schema`, fault: 'schema', message: `the schema ${problem}` }]
  }
  const check = (value: Value, pointer: string) => {
    const message = valueFault(parameter, value)
    if (message !== null) found.push({ pointer, fault: 'value', message: `${name}: ${message}` })
  }
  check(parameter.default, `${at}/default`)
  for (const [condition, value] of Object.entries(parameter.conditional)) {
    const pointer = `${at}/conditional/${part(condition)}`
    if (conditions && !conditions.has(condition))
      found.push({ pointer, fault: 'condition', message: `the condition ${condition} is not there` })
    check(value, pointer)
  }
  return found
}

const typeMessages = {
  boolean: 'must be true or false',
  number: 'must be a number',
  json: 'must be JSON',
}

function valueFault({ valueType, schema }: Parameter, value: Value): string | null {
  if (!('value' in value)) return null
  const problem = valueProblem(valueType, value.value)
  if (problem !== null) return `${typeMessages[problem]}, not ${value.value.slice(0, 60)}`
  return schema && schemaFailure(schema, typedValue(valueType, value.value))
}

function limitProblems(template: Template): Problem[] {
  const counts: [pointer: string, count: number, most: number, what: string][] = [
    ['/parameters', Object.keys(template.parameters).length, limits.parameters, 'parameters'],
    ['/conditions', template.conditions.length, limits.conditions, 'conditions'],
    ['/groups', Object.keys(template.groups).length, limits.groups, 'groups'],
    ['/parameters', valueCharsOf(template), limits.valueChars, 'characters in all values together'],
  ]
  return counts
    .filter(([, count, most]) => count > most)
    .map(([pointer, count, most, what]) => ({ pointer, fault: 'limit', message: `${count} ${what}; at most ${most}` }))
}

const expansionMessages: Record<Extract<Expanded, { problem: string }>['problem'], (name: string) => string> = {
  missing: name => `asks for the condition ${name}, which is not there`,
  circle: name => `asks for itself by way of ${name}`,
  large: () => 'is more than 200 comparisons with those of the conditions it asks for',
  operator: name => `asks for a condition with ${name}; eq, ne, in and nin can`,
}

/** What is wrong with conditions: rules, names that come twice or are not there, circles. */
export function conditionProblems(conditions: readonly Condition[]): Problem[] {
  const found: Problem[] = []
  const seen = new Set<string>()
  const expanded = expandAll(conditions)
  for (const [at, { name, tagColor }] of conditions.entries()) {
    const pointer = `/conditions/${at}`
    const say = (fault: Fault, message: string, below = '') =>
      found.push({ pointer: pointer + below, fault, message: `${name}: ${message}` })
    if (seen.has(name)) say('condition', 'there are two conditions of this name', '/name')
    seen.add(name)
    if (!tagColors.includes(tagColor)) say('condition', `has an unknown colour ${tagColor}`, '/tagColor')
    const one = expanded.get(name)
    if (one && 'problem' in one) say('condition', expansionMessages[one.problem](one.name), '/rule')
    if (!one || 'problem' in one) continue
    for (const problem of ruleProblems(one.rule).slice(0, 5)) say('rule', problem.problem, `/rule${problem.pointer}`)
  }
  return found
}
