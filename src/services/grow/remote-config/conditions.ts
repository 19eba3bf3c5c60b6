import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { namesIn, withDraws, withRenamed } from './condition-rules.ts'
import { type ConditionView, remoteConfigErrors as errors } from './contract.ts'
import { lockTemplate, record, refuseProblems, type TemplateRow, type Where, writeDraft } from './drafts.ts'
import { limits, type TagColor, type Template, tagColors, usersOf } from './rules.ts'
import type { Draft } from './tables.ts'
import { conditionProblems } from './validation.ts'

type KeptCondition = Draft['conditions'][number]

export interface ConditionWish {
  rule: unknown
  tagColor?: TagColor
  description?: string
}

/** The conditions of a draft as lists and forms get them. */
export function viewsOf(draft: Draft, published: Template): ConditionView[] {
  const before = new Map(published.conditions.map(one => [one.name, one]))
  const users = new Map<string, number>()
  for (const { conditional } of Object.values(draft.parameters))
    for (const name of Object.keys(conditional)) users.set(name, (users.get(name) ?? 0) + 1)
  return draft.conditions.map((one, place) => {
    const { revision: _revision, ...plain } = one
    const was = before.get(one.name)
    const change = was === undefined ? 'added' : isDeepStrictEqual(was, plain) ? 'none' : 'changed'
    return { ...one, rule: one.rule as ConditionView['rule'], parameters: users.get(one.name) ?? 0, place, change }
  })
}

export function conditionView(row: TemplateRow | null, published: Template, name: string): ConditionView {
  const view = row && viewsOf(row.draft, published).find(one => one.name === name)
  return view ?? refuse(commonErrors.notFound, { entity: 'condition', id: name })
}

/** Refuses conditions that could not be published: the whole list, as one may name another. */
function assertConditions(conditions: readonly KeptCondition[], changed: string): void {
  const at = conditions.findIndex(one => one.name === changed)
  const problems = conditionProblems(conditions)
  const own = problems.filter(one => one.pointer.startsWith(`/conditions/${at}/`))
  refuseProblems(own.length > 0 ? own : problems)
}

export async function createCondition(ctx: Context, where: Where, name: string, wish: ConditionWish): Promise<Draft> {
  const { draft, revision } = await lockTemplate(ctx, where)
  if (draft.conditions.some(one => one.name === name)) refuse(errors.nameTaken, { name })
  const count = draft.conditions.length + 1
  if (count > limits.conditions) refuse(errors.limit, { message: `${count} conditions, of ${limits.conditions}` })
  const seed = randomBytes(8).toString('hex')
  const made: KeptCondition = {
    name,
    rule: withDraws(wish.rule, seed),
    tagColor: wish.tagColor ?? tagColors[draft.conditions.length % tagColors.length]!,
    seed,
    description: wish.description ?? '',
    revision: revision + 1,
  }
  const conditions = [...draft.conditions, made]
  assertConditions(conditions, name)
  const next = { ...draft, conditions }
  await writeDraft(ctx, where, next)
  record(ctx, where, 'condition_created', { name })
  return next
}

export async function updateCondition(
  ctx: Context,
  where: Where,
  name: string,
  wish: ConditionWish & { newName?: string; revision: number },
): Promise<Draft> {
  const row = await lockTemplate(ctx, where)
  const { draft } = row
  const before = draft.conditions.find(one => one.name === name)
  if (!before) refuse(commonErrors.notFound, { entity: 'condition', id: name })
  if (before.revision !== wish.revision) refuse(commonErrors.stale, { revision: before.revision })
  const { newName = name } = wish
  if (newName !== name && draft.conditions.some(one => one.name === newName))
    refuse(errors.nameTaken, { name: newName })
  const revision = row.revision + 1
  const renamed = newName === name ? draft : renamedIn(draft, name, newName, revision)
  const conditions = renamed.conditions.map(one =>
    one.name === newName
      ? {
          ...one,
          rule: withDraws(withRenamed(wish.rule, name, newName), one.seed),
          tagColor: wish.tagColor ?? one.tagColor,
          description: wish.description ?? '',
          revision,
        }
      : one,
  )
  assertConditions(conditions, newName)
  const next = { ...renamed, conditions }
  await writeDraft(ctx, where, next)
  record(ctx, where, 'condition_updated', { name, ...(newName !== name && { newName }) })
  return next
}

/** The condition called otherwise wherever it stands. */
function renamedIn(draft: Draft, from: string, to: string, revision: number): Draft {
  const parameters = Object.entries(draft.parameters).map(([key, one]) => {
    if (!Object.hasOwn(one.conditional, from)) return [key, one] as const
    const entries = Object.entries(one.conditional).map(([name, value]) => [name === from ? to : name, value])
    return [key, { ...one, conditional: Object.fromEntries(entries), revision }] as const
  })
  const conditions = draft.conditions.map(one => {
    const rule = namesIn(one.rule).includes(from) ? withRenamed(one.rule, from, to) : one.rule
    return one.name === from ? { ...one, name: to, rule } : rule === one.rule ? one : { ...one, rule, revision }
  })
  return { ...draft, conditions, parameters: Object.fromEntries(parameters) }
}

export async function deleteCondition(ctx: Context, where: Where, name: string, isForced: boolean): Promise<void> {
  const row = await lockTemplate(ctx, where)
  const { draft } = row
  if (!draft.conditions.some(one => one.name === name)) refuse(commonErrors.notFound, { entity: 'condition', id: name })
  const others = draft.conditions.filter(one => one.name !== name && namesIn(one.rule).includes(name))
  const keys = usersOf(draft, name)
  // The rule of another condition would say something else without it: that is never done by force.
  if (others.length > 0 || (keys.length > 0 && !isForced)) {
    const users = [...others.map(one => one.name), ...keys]
    refuse(errors.conditionInUse, { name, users: users.slice(0, 5), count: users.length })
  }
  const revision = row.revision + 1
  const parameters = Object.entries(draft.parameters).map(([key, one]) => {
    if (!Object.hasOwn(one.conditional, name)) return [key, one] as const
    const { [name]: _gone, ...conditional } = one.conditional
    return [key, { ...one, conditional, revision }] as const
  })
  const conditions = draft.conditions.filter(one => one.name !== name)
  await writeDraft(ctx, where, { ...draft, conditions, parameters: Object.fromEntries(parameters) })
  record(ctx, where, 'condition_deleted', { name, parameters: keys.length })
}

/** Those that are named take their own places in the new order; the others stay where they are. */
export async function orderConditions(ctx: Context, where: Where, names: readonly string[]): Promise<void> {
  const { draft } = await lockTemplate(ctx, where)
  const byName = new Map(draft.conditions.map(one => [one.name, one]))
  const wanted = new Set(names)
  const unknown = names.find(name => !byName.has(name))
  if (unknown !== undefined || wanted.size !== names.length) refuse(errors.orderUnclear, { name: unknown ?? names })
  const next = names.values()
  const conditions = draft.conditions.map(one => (wanted.has(one.name) ? byName.get(next.next().value!)! : one))
  await writeDraft(ctx, where, { ...draft, conditions })
  record(ctx, where, 'conditions_ordered', { names: names.slice(0, 20) })
}
