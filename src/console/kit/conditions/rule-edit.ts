import {
  comparesDates,
  comparesText,
  isGroup,
  type Json,
  type Leaf,
  type LeafOp,
  type Rule,
} from '../../../kernel/targeting/rule.ts'

/** Steps from the root of a rule into its args: `[1, 0]` is the first of the second. */
export type RulePath = readonly number[]

export type Group = Exclude<Rule, Leaf>

/** The rule with another one in a place. */
export function withRuleAt(rule: Rule, path: RulePath, node: Rule): Rule {
  const [step, ...rest] = path
  if (step === undefined || !isGroup(rule)) return node
  return { ...rule, args: rule.args.map((arg, at) => (at === step ? withRuleAt(arg, rest, node) : arg)) } as Group
}

/** The rule without what is in a place; the root cannot go. */
export function withoutRuleAt(rule: Rule, path: RulePath): Rule {
  const [step, ...rest] = path
  if (step === undefined || !isGroup(rule)) return rule
  if (rest.length > 0) return withRuleAt(rule, [step], withoutRuleAt(rule.args[step] as Rule, rest))
  return { ...rule, args: rule.args.filter((_arg, at) => at !== step) } as Group
}

/** A group with one more rule at its end. */
export function withAdded(group: Group, node: Rule): Group {
  return { ...group, args: [...group.args, node] } as Group
}

/** A rule as the builder shows it: with a group of `and` or `or` outside, to which more can be added. */
export function asGroup(rule: Rule): Group {
  return isGroup(rule) && rule.op !== 'not' ? rule : { op: 'and', args: [rule] }
}

/** `not` is shown as a mark of what it turns round. */
export function turnedRound(rule: Rule): Rule {
  return isGroup(rule) && rule.op === 'not' ? rule.args[0] : { op: 'not', args: [rule] }
}

/** A random text that never changes from then on: who is drawn stays drawn. */
export function newSeed(): string {
  return [...crypto.getRandomValues(new Uint8Array(9))].map(byte => byte.toString(36).padStart(2, '0')).join('')
}

const empty: Partial<Record<LeafOp, () => Json>> = {
  in: () => [],
  nin: () => [],
  cidr: () => [],
  gt: () => 0,
  gte: () => 0,
  lt: () => 0,
  lte: () => 0,
  between: () => [0, 1],
  exists: () => true,
  dowIn: () => [1, 2, 3, 4, 5],
  hourIn: () => [9, 10, 11, 12, 13, 14, 15, 16, 17],
  inAudience: () => [],
  ninAudience: () => [],
  withinGeo: () => ({ lat: 0, lon: 0, meters: 10_000 }),
}

/** What kind of value an op takes; ops of one kind keep it when one is changed for the other. */
export function valueKind(op: LeafOp): string {
  if (op === 'in' || op === 'nin') return 'texts'
  if (op === 'inAudience' || op === 'ninAudience') return 'audiences'
  if (op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte') return 'number'
  if (op === 'before' || op === 'after') return 'time'
  if (op.startsWith('semver_')) return 'version'
  const own: readonly LeafOp[] = ['between', 'exists', 'dowIn', 'hourIn', 'percent', 'withinGeo', 'cidr']
  return own.includes(op) ? op : 'text'
}

/** A leaf with another op: its value stays where the new one takes the same kind. */
export function withOp(leaf: Leaf, op: LeafOp): Leaf {
  const { attr, value } = leaf
  const next: Leaf = { attr, op }
  if (valueKind(op) === valueKind(leaf.op) && value !== undefined) next.value = value
  else if (op === 'percent') next.value = { ns: 'rollout', seed: newSeed(), unitAttr: attr, lo: 0, hi: 10 }
  else next.value = empty[op]?.() ?? ''
  if (comparesDates(op)) next.zone = leaf.zone ?? 'UTC'
  if (comparesText(op) && leaf.isCaseInsensitive) next.isCaseInsensitive = true
  return next
}

/** A leaf about another attribute; a percentage draws by it. */
export function withAttribute(leaf: Leaf, attr: string): Leaf {
  return leaf.op === 'percent'
    ? { ...leaf, attr, value: { ...(leaf.value as object), unitAttr: attr } as Json }
    : { ...leaf, attr }
}
