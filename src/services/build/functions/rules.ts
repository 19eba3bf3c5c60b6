import { type Problem, problemOf } from './problems/rules.ts'

/** What functions of a project are held to; sizes in bytes, times in milliseconds. */
export const limits = {
  functionsOfProject: 400,
  versions: 20,
  aliases: 10,
  layers: 5,
  testEvents: 20,
  zipBytes: 50 * 1024 * 1024,
  unpackedBytes: 250 * 1024 * 1024,
  entries: 20_000,
  entryName: 500,
  /** Of one folder or file: what file systems take. */
  entryPartBytes: 255,
  bombRatio: 100,
  storeBytes: 10 * 1024 * 1024 * 1024,
  editorBytes: 20 * 1024 * 1024,
  inlineBytes: 8 * 1024 * 1024,
  envKeys: 1000,
  envBytes: 64 * 1024,
  eventBytes: 6 * 1024 * 1024,
  /** As JSON: there a control character takes six. */
  eventJsonBytes: 15 * 1024 * 1024,
  answerBytes: 6 * 1024 * 1024,
  testEventBytes: 64 * 1024,
  syncTimeoutMs: 55_000,
  queued: 500,
  queuedForMs: 10_000,
  hops: 8,
  keptLogsMs: 7 * 86_400_000,
} as const

/** What code is written for; an engine of its own stands behind each. `eolDate` is when its makers end it, where they said so. */
export const runtimes = [
  { id: 'nodejs24', label: 'Node.js 24', state: 'GA', eolDate: Date.UTC(2028, 3, 30) },
  { id: 'isolate', label: 'Isolate', state: 'GA', eolDate: null },
  { id: 'image', label: 'Custom image', state: 'GA', eolDate: null },
] as const
export type RuntimeId = (typeof runtimes)[number]['id']
export const runtimeIds = runtimes.map(one => one.id) as readonly RuntimeId[] as readonly [RuntimeId, ...RuntimeId[]]
export type CodeRuntimeId = Exclude<RuntimeId, 'image'>
/** Those that run packages. */
export const codeRuntimeIds = runtimeIds.filter(id => id !== 'image') as readonly CodeRuntimeId[] as readonly [
  CodeRuntimeId,
  ...CodeRuntimeId[],
]
/** What keeps an engine from running anything here. */
export const engineLacks = ['sandbox', 'workerd', 'containerEngine', 'switchedOff', 'knative', 'cluster'] as const
export type EngineLack = (typeof engineLacks)[number]
/** Of a function for which none is named. */
export const usualRuntime: RuntimeId = 'nodejs24'

export const memorySizes = [128, 256, 500, 512, 1000, 1024, 2000, 2048, 4000] as const
/** What the field's other interface knows besides. */
export const furtherMemorySizes = [768, 1280, 1536, 1792, 2560, 3072, 3584, 4096] as const
export const latest = '$latest'

/** 2 to 63: lower case letters, digits, hyphens inside. */
export const namePattern = '^[a-z][a-z0-9-]{0,61}[a-z0-9]$'
export const aliasPattern = '^[A-Za-z](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$'
/** A file of the package without its ending, and what it exports. */
export const handlerPattern = '^[A-Za-z0-9_./-]{1,100}\\.[A-Za-z_$][A-Za-z0-9_$]{0,62}$'

/** Why a handler cannot be: it would lead out of the package. Null when it can. */
export function handlerProblem(handler: string): Problem | null {
  const file = handler.slice(0, handler.lastIndexOf('.'))
  const parts = file.split('/')
  return parts.some(part => part === '' || part === '.' || part === '..') ? problemOf('handlerLeadsOut') : null
}

const reserved = /^(AGC_|LOGGIA_|NODE_OPTIONS$|PROJECT_CREDENTIAL$|LD_)/

/** The first key of an environment that cannot be, and why; null when all can. */
export function envProblem(env: Readonly<Record<string, string>>): Problem | null {
  const keys = Object.keys(env)
  if (keys.length > limits.envKeys) return problemOf('manyKeys', { key: String(keys.length), limit: limits.envKeys })
  for (const key of keys) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(key)) return problemOf('keyForm', { key })
    if (reserved.test(key)) return problemOf('reserved', { key })
  }
  const bytes = new TextEncoder().encode(JSON.stringify(env)).length
  return bytes > limits.envBytes ? problemOf('envLarge', { key: '', limit: limits.envBytes }) : null
}

export interface AliasRule {
  type: 'HEADER' | 'COOKIE'
  param: string
  op: '=' | 'in'
  /** For `in`, values with commas between. */
  value: string
}

/** How an alias sends some of its calls to a second version: a share of them, or those whose headers say so. */
export interface Additional {
  version: string
  mode: 'WEIGHT' | 'RULE'
  /** Of a hundred; for `WEIGHT`. */
  weight?: number
  combine?: 'AND' | 'OR'
  /** For `RULE`. */
  rules?: AliasRule[]
}

/**
 * The version that an alias leads one call to.
 *
 * @param chance of the call, 0 to below 1
 */
export function versionOf(
  alias: { version: string; additional: Additional | null },
  headers: Readonly<Record<string, string | string[] | undefined>>,
  chance: number,
): string {
  const { additional } = alias
  if (!additional) return alias.version
  if (additional.mode === 'WEIGHT') return chance * 100 < (additional.weight ?? 0) ? additional.version : alias.version
  const holds = (rule: AliasRule) => ruleHolds(rule, headers)
  const { rules = [], combine } = additional
  const isMatch = combine === 'OR' ? rules.some(holds) : rules.length > 0 && rules.every(holds)
  return isMatch ? additional.version : alias.version
}

function ruleHolds(
  { type, param, op, value }: AliasRule,
  headers: Readonly<Record<string, string | string[] | undefined>>,
) {
  const found = type === 'HEADER' ? headers[param.toLowerCase()] : cookieOf(String(headers['cookie'] ?? ''), param)
  if (found === undefined) return false
  const wanted = op === 'in' ? value.split(',').map(one => one.trim()) : [value]
  return wanted.includes(String(found))
}

function cookieOf(line: string, name: string): string | undefined {
  for (const part of line.split(';')) {
    const at = part.indexOf('=')
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

/** How long to wait before a version that could not be started is tried again, milliseconds. */
export function backoffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(60_000, 1000 * 2 ** (failures - 1))
}

/** Failures in a row after which a version counts as one that cannot start. */
export const crashLoopAfter = 5

/**
 * How long no copy is started after so many have died in a row without one answer, milliseconds. Whoever calls waits: the
 * next call may be one that it survives. Beginning at once each time would be a load that nobody bounds.
 */
export function restMs(deaths: number): number {
  return deaths < crashLoopAfter ? 0 : Math.min(8000, 250 * 2 ** (deaths - crashLoopAfter))
}
