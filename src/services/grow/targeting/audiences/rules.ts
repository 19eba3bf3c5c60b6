import { compile } from '../../../../kernel/targeting/evaluate.ts'
import type { Leaf, Rule, RuleProblem } from '../../../../kernel/targeting/rule.ts'
import { isGroup, nowAttribute, problemsOf, ruleLimits } from '../../../../kernel/targeting/rule.ts'

export const behaviourLimits = { leaves: 20, days: 180, times: 1000, filters: 10, textLength: 1024 } as const

export const behaviourOps = ['did', 'didNot', 'firstSeenWithin'] as const
export const filterOps = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists'] as const
export type FilterOp = (typeof filterOps)[number]

/** The value of the event itself, where a filter names a property. */
export const valueProperty = '$value'

/** What an event must have to count: a property, compared as a number where the value is one, else as text. */
export interface EventFilter {
  prop: string
  op: FilterOp
  value: string | number | boolean
}

/** So many times or more in the last days; `didNot` is fewer. */
export interface DidLeaf {
  op: 'did' | 'didNot'
  event: string
  times: number
  days: number
  where?: EventFilter[]
}

/** A condition on what a unit did; `firstSeenWithin`: the first event that is kept of it is not older. */
export type BehaviourLeaf = DidLeaf | { op: 'firstSeenWithin'; days: number }

/** The rule of a dynamic audience. */
export type AudienceRule =
  | { op: 'and' | 'or'; args: AudienceRule[] }
  | { op: 'not'; args: [AudienceRule] }
  | BehaviourLeaf
  | Leaf

const isObject = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

/** Whether a part of a rule asks for events. */
export const isBehaviour = (node: unknown): node is BehaviourLeaf =>
  isObject(node) && behaviourOps.some(op => op === node['op'])

/** The attribute that stands for a condition on events once it is decided. */
export const decidedAttribute = (at: number) => `$behaviour.${at}`

/** A rule with its conditions on events taken out: each is an attribute that is true or false. */
export function lowered(rule: AudienceRule): { rule: Rule; behaviours: BehaviourLeaf[] } {
  const found = behavioursIn(rule)
  return { rule: found.rule as Rule, behaviours: found.leaves.map(one => one.leaf) }
}

interface Placed {
  leaf: BehaviourLeaf
  pointer: string
}

function behavioursIn(rule: unknown): { rule: unknown; leaves: Placed[] } {
  const leaves: Placed[] = []
  function walk(node: unknown, pointer: string, depth: number): unknown {
    if (isBehaviour(node)) {
      leaves.push({ leaf: node, pointer })
      return { attr: decidedAttribute(leaves.length - 1), op: 'eq', value: true }
    }
    if (depth > ruleLimits.depth || !isObject(node) || !Array.isArray(node['args'])) return node
    return { ...node, args: node['args'].map((arg, at) => walk(arg, `${pointer}/args/${at}`, depth + 1)) }
  }
  return { rule: walk(rule, '', 1), leaves }
}

/** What a unit without any event is to conditions on events. */
export const withoutEvents = (behaviours: readonly BehaviourLeaf[]): Record<string, boolean> =>
  Object.fromEntries(behaviours.map(({ op }, at) => [decidedAttribute(at), op === 'didNot']))

/** What a rule can be for somebody of whom nothing but the id is known, at whatever time. */
function outcomesFor(rule: Rule, decided: Readonly<Record<string, boolean>>): ReadonlySet<boolean> {
  if (!isGroup(rule)) {
    const isOpen = rule.attr === 'userId' || rule.attr === nowAttribute || rule.op === 'percent'
    return new Set(isOpen ? [true, false] : [compile(rule).matches({ attributes: decided, now: 0 })])
  }
  const each = rule.args.map(one => outcomesFor(one, decided))
  if (rule.op === 'not') return new Set([...(each[0] ?? [])].map(one => !one))
  const settling = rule.op === 'or'
  // One part that is so settles it; it is otherwise where all parts can be.
  const found = new Set<boolean>()
  if (each.some(one => one.has(settling))) found.add(settling)
  if (each.every(one => one.has(!settling))) found.add(!settling)
  return found
}

/**
 * How many days of events decide a rule; null for all that are kept. The first event of a unit may be any of them, and where
 * somebody belongs who did nothing in those days, only older events tell that there is such a unit: users are known without.
 */
export function daysRead({ rule, behaviours }: { rule: Rule; behaviours: readonly BehaviourLeaf[] }): number | null {
  if (behaviours.some(one => one.op === 'firstSeenWithin')) return null
  if (outcomesFor(rule, withoutEvents(behaviours)).has(true)) return null
  return Math.max(...behaviours.map(one => one.days))
}

/** All that is wrong with the rule of an audience, with JSON pointers into it. Takes whatever it is given. */
export function audienceRuleProblems(rule: unknown): RuleProblem[] {
  const { rule: rest, leaves } = behavioursIn(rule)
  if (leaves.length > behaviourLimits.leaves)
    return [{ pointer: '', problem: `a rule has at most ${behaviourLimits.leaves} conditions on events` }]
  return [...problemsOf(rest), ...leaves.flatMap(({ leaf, pointer }) => leafProblems(leaf as never, pointer))]
}

const eventForm = /^(?:[A-Za-z_][A-Za-z0-9_.:-]{0,63}|\$exposure)$/
const propForm = /^(?:[A-Za-z_][A-Za-z0-9_]{0,63}|\$value)$/
const isWhole = (value: unknown, most: number) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most

function leafProblems(leaf: Record<string, unknown>, pointer: string): RuleProblem[] {
  const found: RuleProblem[] = []
  const wrong = (at: string, problem: string) => found.push({ pointer: `${pointer}/${at}`, problem })
  const { op, event, times, days, where } = leaf
  const keys = op === 'firstSeenWithin' ? ['op', 'days'] : ['op', 'event', 'times', 'days', 'where']
  if (Object.keys(leaf).some(key => !keys.includes(key))) wrong('op', `${op} has ${keys.join(', ')} only`)
  if (!isWhole(days, behaviourLimits.days)) wrong('days', `days are a whole number from 1 to ${behaviourLimits.days}`)
  if (op === 'firstSeenWithin') return found
  if (typeof event !== 'string' || !eventForm.test(event))
    wrong('event', 'the name of an event has 1 to 64 letters, digits and _ . : - and begins with a letter or _')
  if (!isWhole(times, behaviourLimits.times)) wrong('times', `times is a number from 1 to ${behaviourLimits.times}`)
  if (where === undefined) return found
  if (!Array.isArray(where) || where.length > behaviourLimits.filters)
    wrong('where', `where is a list of at most ${behaviourLimits.filters} filters`)
  else for (const [at, filter] of where.entries()) found.push(...filterProblems(filter, `${pointer}/where/${at}`))
  return found
}

function filterProblems(filter: unknown, pointer: string): RuleProblem[] {
  if (!isObject(filter) || Object.keys(filter).some(key => !['prop', 'op', 'value'].includes(key)))
    return [{ pointer, problem: 'a filter is an object with prop, op and value' }]
  const { prop, op, value } = filter
  if (typeof prop !== 'string' || !propForm.test(prop))
    return [{ pointer: `${pointer}/prop`, problem: `a property has 1 to 64 letters, digits and _, or is $value` }]
  const known = filterOps.find(one => one === op)
  if (!known) return [{ pointer: `${pointer}/op`, problem: `the op of a filter is one of ${filterOps.join(' ')}` }]
  const words = valueProblem(known, value)
  return words === null ? [] : [{ pointer: `${pointer}/value`, problem: words }]
}

function valueProblem(op: FilterOp, value: unknown): string | null {
  const isText = typeof value === 'string' && value.length <= behaviourLimits.textLength && !value.includes('\0')
  if (op === 'exists') return typeof value === 'boolean' ? null : 'exists takes true or false'
  if (op === 'contains') return isText && value !== '' ? null : 'contains takes a text'
  if (op === 'eq' || op === 'ne')
    return isText || typeof value === 'boolean' || Number.isFinite(value)
      ? null
      : `${op} takes a text of at most ${behaviourLimits.textLength} characters, a number, or true or false`
  return Number.isFinite(value) ? null : `${op} takes a number`
}

/** How long the sizes of an audience are kept, and how long each of them. */
export const sizePoints = { keptDays: 90, wholeDays: 7 } as const

/** By how many an audience has grown since an instant; null where nothing is known of then. Points are the oldest first. */
export function growthOf(points: readonly { at: number; size: number }[], size: number, since: number): number | null {
  const then = points.findLast(one => one.at <= since)
  return then === undefined ? null : size - then.size
}
