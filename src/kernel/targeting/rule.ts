import { AnyJson, type Static, shape, Type } from '../shape.ts'
import type { BucketSpace } from './bucket.ts'
import { valueProblem } from './values.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export const leafOps = [
  'eq',
  'ne',
  'in',
  'nin',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'ncontains',
  'startsWith',
  'endsWith',
  'regex',
  'exists',
  'semver_eq',
  'semver_gt',
  'semver_gte',
  'semver_lt',
  'semver_lte',
  'before',
  'after',
  'dowIn',
  'hourIn',
  'inAudience',
  'ninAudience',
  'percent',
  'withinGeo',
  'cidr',
] as const
export type LeafOp = (typeof leafOps)[number]

/** `zone` is for dates only: an IANA name. Text is compared in NFC, with its case unless `isCaseInsensitive`. */
export interface Leaf {
  attr: string
  op: LeafOp
  value?: Json
  isCaseInsensitive?: true
  zone?: string
}

/** The value of a `percent` leaf: lo up to below hi, in percent. */
export interface PercentValue {
  ns: BucketSpace
  seed: string
  unitAttr: string
  lo: number
  hi: number
}

/** The attribute that is always there: the instant of the evaluation. */
export const nowAttribute = '$now'

/** A group: of an `and` of nothing everybody is part. */
export type Rule = { op: 'and' | 'or'; args: Rule[] } | { op: 'not'; args: [Rule] } | Leaf

export const ruleLimits = {
  depth: 10,
  leaves: 200,
  groups: 200,
  attributeChars: 100,
} as const

/** A rule in a contract. What JSON schema cannot say, `problemsOf` does: a handler asks it before it keeps a rule. */
export const RuleShape = Type.Unsafe<Rule>({
  ...AnyJson,
  description: 'a rule: {op: and|or|not, args} or a leaf {attr, op, value, isCaseInsensitive?, zone?}',
})

/** What is wrong with a rule, and where. */
export const RuleProblem = shape({ pointer: Type.String(), problem: Type.String() })
export type RuleProblem = Static<typeof RuleProblem>

const groupOps: readonly unknown[] = ['and', 'or', 'not']
const textOps: readonly LeafOp[] = ['eq', 'ne', 'in', 'nin', 'contains', 'ncontains', 'startsWith', 'endsWith', 'regex']
const dateOps: readonly LeafOp[] = ['before', 'after', 'dowIn', 'hourIn']
const mostProblems = 50

/** Whether a rule is a group of others. */
export function isGroup(rule: Rule): rule is Exclude<Rule, Leaf> {
  return groupOps.includes(rule.op)
}

/** Whether the case of text may be left out of account. */
export function comparesText(op: LeafOp): boolean {
  return textOps.includes(op)
}

/** Whether the op reads dates, in a zone. */
export function comparesDates(op: LeafOp): boolean {
  return dateOps.includes(op)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** All that is wrong with a rule, with JSON pointers into it; none when it can be kept. Takes whatever it is given. */
export function problemsOf(rule: unknown): RuleProblem[] {
  const problems: RuleProblem[] = []
  const counted = { leaves: 0, groups: 0 }
  // What is over a limit is not walked any further: a body may be a megabyte of brackets.
  const isOver = () => counted.leaves > ruleLimits.leaves || counted.groups > ruleLimits.groups

  function walk(node: unknown, pointer: string, depth: number): void {
    if (problems.length >= mostProblems || isOver()) return
    if (depth > ruleLimits.depth) {
      problems.push({ pointer, problem: `a rule may be ${ruleLimits.depth} deep` })
      return
    }
    if (!isObject(node)) {
      problems.push({ pointer, problem: 'a rule is an object with an op' })
      return
    }
    const isOfRules = groupOps.includes(node['op'])
    if (isOfRules) counted.groups++
    else counted.leaves++
    if (isOver()) {
      problems.push({
        pointer: '',
        problem: `a rule may have ${ruleLimits.leaves} leaves and ${ruleLimits.groups} groups`,
      })
      return
    }
    const found = isOfRules ? groupProblems(node) : leafProblems(node)
    problems.push(...found.map(({ at, words }) => ({ pointer: `${pointer}${at}`, problem: words })))
    if (!isOfRules || !Array.isArray(node['args'])) return
    const most = Math.min(node['args'].length, ruleLimits.leaves + ruleLimits.groups + 1)
    for (let at = 0; at < most; at++) walk(node['args'][at], `${pointer}/args/${at}`, depth + 1)
  }

  walk(rule, '', 1)
  return problems.slice(0, mostProblems)
}

interface Found {
  at: string
  words: string
}

const escaped = (key: string) => key.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
const unknownKeys = (node: Record<string, unknown>, known: readonly string[], words: string): Found[] =>
  Object.keys(node)
    .filter(key => !known.includes(key))
    .slice(0, mostProblems)
    .map(key => ({ at: `/${escaped(key)}`, words }))

function groupProblems(node: Record<string, unknown>): Found[] {
  const found = unknownKeys(node, ['op', 'args'], 'a group has op and args only')
  const args = node['args']
  if (!Array.isArray(args)) found.push({ at: '/args', words: 'the args of a group are a list of rules' })
  else if (node['op'] === 'not' && args.length !== 1) found.push({ at: '/args', words: 'not takes one rule' })
  else if (node['op'] === 'or' && args.length === 0) {
    found.push({ at: '/args', words: 'an or of nothing is nobody; give it a rule' })
  }
  return found
}

const leafKeys = ['attr', 'op', 'value', 'isCaseInsensitive', 'zone']

function leafProblems(node: Record<string, unknown>): Found[] {
  const { attr, op, value, isCaseInsensitive, zone } = node
  const found = unknownKeys(node, leafKeys, `a leaf has ${leafKeys.join(', ')} only`)
  const known = leafOps.find(one => one === op)
  if (known === undefined) {
    return [...found, { at: '/op', words: `an op is and, or, not or one of ${leafOps.join(' ')}` }]
  }
  if (typeof attr !== 'string' || attr.length > ruleLimits.attributeChars || (attr === '' && known !== 'percent')) {
    found.push({ at: '/attr', words: `the name of an attribute has 1 to ${ruleLimits.attributeChars} characters` })
  }
  if (isCaseInsensitive !== undefined && (isCaseInsensitive !== true || !comparesText(known))) {
    found.push({ at: '/isCaseInsensitive', words: 'isCaseInsensitive is true or left out, and only for text' })
  }
  if (zone !== undefined && !comparesDates(known)) found.push({ at: '/zone', words: 'a zone is for dates only' })
  const problem = valueProblem(known, value, zone)
  if (problem) found.push({ at: `/${problem.at}`, words: problem.words })
  return found
}

/** Every leaf of a rule, in order. */
export function leavesOf(rule: Rule): Leaf[] {
  return isGroup(rule) ? rule.args.flatMap(leavesOf) : [rule]
}

/** The audiences a rule asks for, each once. */
export function audiencesOf(rule: Rule): string[] {
  const asked = leavesOf(rule).filter(leaf => leaf.op === 'inAudience' || leaf.op === 'ninAudience')
  return [...new Set(asked.flatMap(leaf => (Array.isArray(leaf.value) ? leaf.value : [leaf.value])))].map(String)
}

/** The attributes of a context that a rule reads, each once: what an answer made with it depends on. */
export function attributesOf(rule: Rule): string[] {
  const read = leavesOf(rule).map(leaf =>
    leaf.op === 'percent' ? (leaf.value as unknown as PercentValue).unitAttr : leaf.attr,
  )
  return [...new Set(read)]
}
