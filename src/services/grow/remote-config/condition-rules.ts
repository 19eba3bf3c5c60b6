import { attributesOf, leavesOf, type PercentValue, type Rule } from '../../../kernel/targeting/rule.ts'
import type { Condition } from './rules.ts'

/** A leaf of this attribute is about other conditions: `eq`, `ne`, `in`, `nin` with their names. */
export const conditionAttribute = 'condition'
/** Whose lot is drawn unless a rule says so: the installation, or whatever the app calls by its key. */
const defaultUnit = 'targetingKey'

/** Comparisons and groups together; the evaluator takes 200 of each. */
const mostNodes = 400

interface Node {
  op: string
  args?: Node[]
  attr?: string
  value?: unknown
}

/** The names of conditions that a rule asks for. */
export function namesIn(rule: unknown): string[] {
  const found: string[] = []
  const walk = (node: unknown, depth: number) => {
    if (typeof node !== 'object' || node === null || depth > 64) return
    const { args, attr, value } = node as Node
    if (attr === conditionAttribute) found.push(...[value].flat().filter(name => typeof name === 'string'))
    if (Array.isArray(args)) for (const arg of args) walk(arg, depth + 1)
  }
  walk(rule, 0)
  return found
}

/** A rule with the rules of the conditions that it names in their places; what cannot be put there is a problem. */
export type Expanded = { rule: Rule } | { problem: 'missing' | 'circle' | 'large' | 'operator'; name: string }

/** Each condition's rule as the evaluator takes it: by itself, without names of others. */
export function expandAll(conditions: readonly Condition[]): Map<string, Expanded> {
  const byName = new Map(conditions.map(one => [one.name, one]))
  const done = new Map<string, Expanded>()
  const open = new Set<string>()
  const expand = (name: string): Expanded => {
    const known = done.get(name)
    if (known) return known
    const condition = byName.get(name)
    if (!condition) return { problem: 'missing', name }
    if (open.has(name)) return { problem: 'circle', name }
    open.add(name)
    const made = expandOne(condition.rule, expand)
    open.delete(name)
    done.set(name, made)
    return made
  }
  for (const { name } of conditions) expand(name)
  return done
}

class Unexpandable extends Error {
  readonly found: Extract<Expanded, { problem: string }>
  constructor(found: Extract<Expanded, { problem: string }>) {
    super(found.problem)
    this.found = found
  }
}

function expandOne(rule: unknown, expand: (name: string) => Expanded): Expanded {
  let nodes = 0
  const count = (node: Node): void => {
    if (++nodes > mostNodes) throw new Unexpandable({ problem: 'large', name: '' })
    if (Array.isArray(node?.args)) for (const arg of node.args) count(arg)
  }
  const ruleOf = (name: unknown): Node => {
    const found = expand(String(name))
    if ('problem' in found) throw new Unexpandable(found)
    count(found.rule as Node)
    return found.rule as Node
  }
  const walk = (node: Node, depth: number): Node => {
    if (typeof node !== 'object' || node === null || depth > 64) return node
    if (Array.isArray(node.args)) return { ...node, args: node.args.map(arg => walk(arg, depth + 1)) }
    if (node.attr !== conditionAttribute) return node
    const rules = [node.value].flat().map(ruleOf)
    const any: Node = rules.length === 1 ? rules[0]! : { op: 'or', args: rules }
    if (node.op === 'eq' || node.op === 'in') return any
    if (node.op === 'ne' || node.op === 'nin') return { op: 'not', args: [any] }
    throw new Unexpandable({ problem: 'operator', name: node.op })
  }
  try {
    return { rule: walk(rule as Node, 0) as unknown as Rule }
  } catch (error) {
    if (error instanceof Unexpandable) return error.found
    throw error
  }
}

/** The same rule with a condition called otherwise. */
export function withRenamed(rule: unknown, from: string, to: string): unknown {
  if (typeof rule !== 'object' || rule === null) return rule
  const node = rule as Node
  if (Array.isArray(node.args)) return { ...node, args: node.args.map(arg => withRenamed(arg, from, to)) }
  if (node.attr !== conditionAttribute) return rule
  const rename = (name: unknown) => (name === from ? to : name)
  return { ...node, value: Array.isArray(node.value) ? node.value.map(rename) : rename(node.value) }
}

/** The attributes that a rule reads, and those of them that it draws lots by. */
export function readsOf(rule: Rule): { attributes: readonly string[]; drawsBy: string[] } {
  const drawsBy = leavesOf(rule)
    .filter(leaf => leaf.op === 'percent')
    .map(leaf => (leaf.value as unknown as PercentValue).unitAttr)
  return { attributes: [...new Set(attributesOf(rule))], drawsBy: [...new Set(drawsBy)] }
}

/** A rule whose draws without a seed, a space or a unit of their own have those of its condition. */
export function withDraws(rule: unknown, seed: string): unknown {
  if (typeof rule !== 'object' || rule === null) return rule
  const node = rule as Node
  if (Array.isArray(node.args)) return { ...node, args: node.args.map(arg => withDraws(arg, seed)) }
  if (node.op !== 'percent' || typeof node.value !== 'object' || node.value === null) return rule
  return {
    attr: node.attr ?? defaultUnit,
    ...node,
    value: { ns: 'rollout', seed, unitAttr: node.attr ?? defaultUnit, ...node.value },
  }
}
