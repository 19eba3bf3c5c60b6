import { isDeepStrictEqual } from 'node:util'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { remoteConfigErrors as errors, type ParameterView } from './contract.ts'
import { lockTemplate, record, refuseProblems, type TemplateRow, type Where, writeDraft } from './drafts.ts'
import {
  limits,
  type Parameter,
  type RunningRollout,
  stalenessOf,
  type Template,
  type ValueType,
  valueCharsOf,
} from './rules.ts'
import type { Draft } from './tables.ts'
import { parameterProblems } from './validation.ts'

type KeptParameter = Draft['parameters'][string]

/** What a form sends of a parameter; left out is empty. */
export interface ParameterWish {
  valueType: ValueType
  schema?: Record<string, unknown> | null
  default: Parameter['default']
  conditional?: Parameter['conditional']
  group?: string | null
  description?: string
  owner?: string | null
  expiresAt?: number | null
}

const fromWish = (wish: ParameterWish): Parameter => ({
  valueType: wish.valueType,
  schema: wish.schema ?? null,
  default: wish.default,
  conditional: wish.conditional ?? {},
  group: wish.group ?? null,
  description: wish.description ?? '',
  owner: wish.owner ?? null,
  expiresAt: wish.expiresAt ?? null,
})

export interface ParameterFilter {
  search?: string
  group?: string
  valueType?: ValueType
  condition?: string
  show?: 'all' | 'changed' | 'expired' | 'stale'
}

/** What parameters are seen beside: the version in force, and what is rolled out on it. */
export interface InForce {
  published: Template
  rollouts: readonly RunningRollout[]
  /** When the values in force became what they are. */
  since: Readonly<Record<string, number>>
  readAt: (key: string) => number | null
  now: number
}

const withoutRevision = ({ revision: _revision, ...one }: KeptParameter): Parameter => one

export function viewOf(key: string, one: KeptParameter, inForce: InForce): ParameterView {
  const { published, rollouts, since, readAt, now } = inForce
  const before = Object.hasOwn(published.parameters, key) ? published.parameters[key] : undefined
  const plain = withoutRevision(one)
  const change = before === undefined ? 'added' : isDeepStrictEqual(before, plain) ? 'none' : 'changed'
  const known = { since: (Object.hasOwn(since, key) && since[key]) || null, readAt: readAt(key), now }
  const own = rollouts.filter(rollout => rollout.parameter === key)
  const stale = before === undefined || own.length > 0 ? null : stalenessOf(before, known)
  return { key, ...one, change, rollouts: own, isExpired: one.expiresAt !== null && one.expiresAt <= now, stale }
}

/** The parameters that a filter finds, by key. */
export function found(draft: Draft, inForce: InForce, filter: ParameterFilter): ParameterView[] {
  const search = filter.search?.trim().toLowerCase() ?? ''
  return Object.keys(draft.parameters)
    .sort()
    .filter(key => isFound(key, draft.parameters[key]!, filter, search))
    .map(key => viewOf(key, draft.parameters[key]!, inForce))
    .filter(one => isShown(one, filter.show))
}

function isShown({ change, isExpired, stale }: ParameterView, show: ParameterFilter['show']): boolean {
  if (show === 'changed') return change !== 'none'
  if (show === 'expired') return isExpired
  return show !== 'stale' || stale !== null
}

function isFound(key: string, one: KeptParameter, filter: ParameterFilter, search: string): boolean {
  if (filter.valueType !== undefined && one.valueType !== filter.valueType) return false
  if (filter.group !== undefined && (one.group ?? '') !== filter.group) return false
  if (filter.condition !== undefined && !Object.hasOwn(one.conditional, filter.condition)) return false
  if (search === '') return true
  const values = [one.default, ...Object.values(one.conditional)].map(value => ('value' in value ? value.value : ''))
  return [key, one.description, ...values].some(text => text.toLowerCase().includes(search))
}

export function loadParameter(row: TemplateRow | null, key: string): KeptParameter {
  const found = row && Object.hasOwn(row.draft.parameters, key) ? row.draft.parameters[key] : undefined
  return found ?? refuse(commonErrors.notFound, { entity: 'parameter', id: key })
}

/** Refuses a parameter that could not be published with the draft as it is. */
function assertParameter(draft: Draft, key: string, one: Parameter): void {
  refuseProblems(parameterProblems(key, one, null))
  const names = new Set(draft.conditions.map(condition => condition.name))
  const missing = Object.keys(one.conditional).find(name => !names.has(name))
  if (missing !== undefined) refuse(errors.notThere, { thing: 'condition', name: missing })
  if (one.group !== null && !Object.hasOwn(draft.groups, one.group))
    refuse(errors.notThere, { thing: 'group', name: one.group })
  const rest = { ...draft, parameters: { ...draft.parameters, [key]: { ...one, revision: 1 } } }
  const chars = valueCharsOf(rest)
  if (chars > limits.valueChars)
    refuse(errors.limit, { message: `${chars} characters in all values, of ${limits.valueChars}` })
}

export async function createParameter(
  ctx: Context,
  where: Where,
  key: string,
  wish: ParameterWish,
): Promise<[TemplateRow, KeptParameter]> {
  const row = await lockTemplate(ctx, where)
  const { draft } = row
  if (Object.hasOwn(draft.parameters, key)) refuse(errors.keyTaken, { key })
  const count = Object.keys(draft.parameters).length + 1
  if (count > limits.parameters) refuse(errors.limit, { message: `${count} parameters, of ${limits.parameters}` })
  const plain = fromWish(wish)
  assertParameter(draft, key, plain)
  const one = { ...plain, revision: row.revision + 1 }
  await writeDraft(ctx, where, { ...draft, parameters: { ...draft.parameters, [key]: one } })
  record(ctx, where, 'parameter_created', { key })
  return [row, one]
}

export async function updateParameter(
  ctx: Context,
  where: Where,
  key: string,
  { newKey = key, revision, ...wish }: ParameterWish & { newKey?: string; revision: number },
): Promise<[TemplateRow, KeptParameter]> {
  const row = await lockTemplate(ctx, where)
  const { draft } = row
  const before = loadParameter(row, key)
  if (before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
  if (newKey !== key && Object.hasOwn(draft.parameters, newKey)) refuse(errors.keyTaken, { key: newKey })
  const { [key]: _old, ...others } = draft.parameters
  const plain = fromWish(wish)
  assertParameter({ ...draft, parameters: others }, newKey, plain)
  const one = { ...plain, revision: row.revision + 1 }
  await writeDraft(ctx, where, { ...draft, parameters: { ...others, [newKey]: one } })
  record(ctx, where, 'parameter_updated', { key, ...(newKey !== key && { newKey }) })
  return [row, one]
}

export async function deleteParameter(ctx: Context, where: Where, key: string): Promise<void> {
  const row = await lockTemplate(ctx, where)
  loadParameter(row, key)
  const { [key]: _gone, ...parameters } = row.draft.parameters
  await writeDraft(ctx, where, { ...row.draft, parameters })
  record(ctx, where, 'parameter_deleted', { key })
}
