import type { Drawing } from '../../../kernel/targeting/experiment.ts'
import type { Rule } from '../../../kernel/targeting/rule.ts'

/** Bounds that the contracts, the handlers and the forms share; those of the field (brief growth 9). */
export const limits = {
  parameters: 3_000,
  conditions: 2_000,
  groups: 300,
  attributes: 200,
  valueChars: 1_000_000,
  keyLength: 256,
  nameLength: 100,
  groupLength: 256,
  descriptionLength: 256,
  noteLength: 1_024,
  ownerLength: 100,
  schemaLength: 20_000,
  schemaDepth: 24,
  patternLength: 256,
  keptVersions: 300,
  keptDays: 90,
  schedules: 50,
  rollouts: 1_000,
  /** Experiments and rollouts together. */
  runningTogether: 24,
  /** What an app may say of itself in one request. */
  contextAttributes: 100,
  contextValueLength: 500,
  importBytes: 4_194_304,
  /** A whole template as JSON: values, and the schemas and rules around them. */
  templateBytes: 8_388_608,
  defaultFetchSeconds: 43_200,
} as const

export const kinds = ['client', 'server'] as const
export type Kind = (typeof kinds)[number]

export const valueTypes = ['STRING', 'BOOLEAN', 'NUMBER', 'JSON'] as const
export type ValueType = (typeof valueTypes)[number]

export const tagColors = [
  'BLUE',
  'BROWN',
  'CYAN',
  'DEEP_ORANGE',
  'GREEN',
  'INDIGO',
  'LIME',
  'ORANGE',
  'PINK',
  'PURPLE',
  'TEAL',
] as const
export type TagColor = (typeof tagColors)[number]

export const origins = ['CONSOLE', 'REST', 'ROLLBACK', 'SCHEDULE', 'IMPORT', 'EXPERIMENT', 'ROLLOUT'] as const
export type Origin = (typeof origins)[number]

export const keyPattern = '^[A-Za-z_][A-Za-z0-9_]*$'
export const attributePattern = '^[A-Za-z_][A-Za-z0-9_.-]*$'
export const attributeTypes = ['STRING', 'NUMBER', 'BOOLEAN', 'TIME', 'VERSION'] as const

const key = new RegExp(keyPattern)
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a text can be the key of a parameter. */
export const isKey = (name: string) => key.test(name) && name.length <= limits.keyLength && !reserved.has(name)

/** What a parameter is where something holds: a text, or what the app itself has. */
export type Value = { value: string } | { useInAppDefault: true }

export interface Condition {
  name: string
  /** A rule of targeting; a leaf with the attribute `condition` names other conditions. */
  rule: unknown
  tagColor: TagColor
  /** Made with the condition, kept by renames: nobody changes sides. */
  seed: string
  description: string
}

export interface Parameter {
  valueType: ValueType
  /** JSON schema of the values. */
  schema: Record<string, unknown> | null
  default: Value
  /** By name of the condition; the order is that of the conditions. */
  conditional: Record<string, Value>
  group: string | null
  description: string
  owner: string | null
  expiresAt: number | null
}

/** What is published: apps get what it says. */
export interface Template {
  conditions: Condition[]
  parameters: Record<string, Parameter>
  groups: Record<string, { description: string }>
}

/** An experiment as fetches draw it: its variants give parameters values of their own. */
export interface RunningExperiment extends Drawing {
  experimentId: string
  name: string
  phase: number
  /** Who is meant; null for everybody. */
  rule: Rule | null
  /** Units keep the variant that they were seen in. */
  isSticky: boolean
  variants: { key: string; weight: number; payload: Record<string, string> }[]
}

/** A rollout as fetches draw it: the units that are in get its value instead of that of one branch of a parameter. */
export interface RunningRollout {
  rolloutId: string
  name: string
  parameter: string
  /** Name of the condition whose value it replaces; null is the default. */
  condition: string | null
  value: string
  seed: string
  unitAttr: string
  percent: number
  /** When its step began, where apps are to say who is in: exposures of each step count anew. */
  since?: number
}

/** What is in force beside a template. */
export interface Beside {
  running: readonly RunningExperiment[]
  rollouts: readonly RunningRollout[]
}

/** The parameters that an experiment is about. */
export const parametersOf = ({ variants }: Pick<RunningExperiment, 'variants'>): string[] => [
  ...new Set(variants.flatMap(one => Object.keys(one.payload))),
]

/** What an estimate of a publish rests on. */
export const samples = { kept: 10_000, keptDays: 7, fewest: 100, contextChars: 2_048 } as const

/**
 * How many of all change where so many of a sample do, in percent, with the half of its 95 % interval (Agresti and Coull
 * 1998: two more of each kind, so that none of many is not said to be none).
 */
export function shareOfSample(changed: number, total: number): { percent: number; error: number } {
  const square = 1.96 ** 2
  const middle = (changed + square / 2) / (total + square)
  const half = 1.96 * Math.sqrt((middle * (1 - middle)) / (total + square))
  const tenth = (share: number) => Math.round(share * 1_000) / 10
  return { percent: tenth(changed / total), error: Math.max(0.1, tenth(half)) }
}

const dayMs = 86_400_000
export const staleDays = { unread: 30, single: 90 } as const
export const staleReasons = ['unread', 'single'] as const

/**
 * Why a parameter in force may have had its day: no client has read it for 30 days, or it has been one value for everybody
 * for 90. `since` is when its values became what they are, null where nobody knows; `readAt` when it was last read.
 */
export function stalenessOf(
  { default: fallback, conditional }: Pick<Parameter, 'default' | 'conditional'>,
  { since, readAt, now }: { since: number | null; readAt: number | null; now: number },
): (typeof staleReasons)[number] | null {
  if (since === null) return null
  if (now - Math.max(since, readAt ?? 0) >= staleDays.unread * dayMs) return 'unread'
  const values = new Set([fallback, ...Object.values(conditional)].map(one => JSON.stringify(one)))
  return values.size === 1 && now - since >= staleDays.single * dayMs ? 'single' : null
}

export const emptyTemplate = (): Template => ({ conditions: [], parameters: {}, groups: {} })

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** What keeps a text from being a value of a type, or null. */
export function valueProblem(valueType: ValueType, text: string): 'boolean' | 'number' | 'json' | null {
  switch (valueType) {
    case 'STRING':
      return null
    case 'BOOLEAN':
      return text === 'true' || text === 'false' ? null : 'boolean'
    case 'NUMBER':
      return numberPattern.test(text) && Number.isFinite(Number(text)) ? null : 'number'
    case 'JSON':
      return isJson(text) ? null : 'json'
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * What clients of OpenFeature make of a JSON value that is no object: a list and null are of no type of the protocol, though
 * its clients for JavaScript read them as objects; a number, a text and a boolean they refuse to read as one.
 */
export function protocolDoubt(valueType: ValueType, text: string): 'list' | 'null' | 'plain' | null {
  if (valueType !== 'JSON' || !isJson(text)) return null
  const value: unknown = JSON.parse(text)
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'object' ? null : 'plain'
}

/** The value as programs want it. The text was checked when it was published. */
export function typedValue(valueType: ValueType, text: string): unknown {
  if (valueType === 'STRING') return text
  if (valueType === 'BOOLEAN') return text === 'true'
  return valueType === 'NUMBER' ? Number(text) : JSON.parse(text)
}

/** The etag of a published version: what a publish must have read. */
export const etagOf = (projectId: string, kind: Kind, version: number) =>
  kind === 'client' ? `"etag-${projectId}-${version}"` : `"etag-${projectId}-server-${version}"`

/** The version that an etag of this template names, or null. */
export function versionOfEtag(projectId: string, kind: Kind, etag: string): number | null {
  const found = /^(?:W\/)?"etag-([0-9]{1,19})(-server)?-([0-9]{1,9})"$/.exec(etag.trim())
  if (!found || found[1] !== projectId) return null
  return (found[2] === undefined) === (kind === 'client') ? Number(found[3]) : null
}

/** The characters of all values together, as the limit counts them. */
export function valueCharsOf({ parameters }: Template): number {
  let sum = 0
  for (const { default: fallback, conditional } of Object.values(parameters)) {
    sum += charsOf(fallback)
    for (const value of Object.values(conditional)) sum += charsOf(value)
  }
  return sum
}

const charsOf = (value: Value) => ('value' in value ? value.value.length : 0)

/** Parameters that a condition decides about. */
export const usersOf = ({ parameters }: Template, condition: string): string[] =>
  Object.keys(parameters).filter(key => Object.hasOwn(parameters[key]!.conditional, condition))
