import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { remoteConfigErrors as errors } from './contract.ts'
import { lockTemplate, record, type Where, writeDraft } from './drafts.ts'
import { limits } from './rules.ts'
import type { Draft } from './tables.ts'

/** The draft with the parameters of one group in another, or in none. */
function moved(draft: Draft, from: string, to: string | null, revision: number): Draft['parameters'] {
  const entries = Object.entries(draft.parameters)
  return Object.fromEntries(
    entries.map(([key, one]) => [key, one.group === from ? { ...one, group: to, revision } : one]),
  )
}

export async function putGroup(
  ctx: Context,
  where: Where,
  name: string,
  wish: { description?: string; newName?: string },
): Promise<void> {
  const row = await lockTemplate(ctx, where)
  const { draft } = row
  const { newName = name } = wish
  const isNew = !Object.hasOwn(draft.groups, name)
  const isTaken = newName !== name && Object.hasOwn(draft.groups, newName)
  if (isNew && newName !== name) refuse(commonErrors.notFound, { entity: 'group', id: name })
  if (isTaken) refuse(errors.nameTaken, { name: newName })
  const count = Object.keys(draft.groups).length + 1
  if (isNew && count > limits.groups) refuse(errors.limit, { message: `${count} groups, of ${limits.groups}` })
  const { [name]: before, ...others } = draft.groups
  const groups = { ...others, [newName]: { description: wish.description ?? before?.description ?? '' } }
  const parameters = newName === name ? draft.parameters : moved(draft, name, newName, row.revision + 1)
  await writeDraft(ctx, where, { ...draft, groups, parameters })
  record(ctx, where, 'group_put', { name, ...(newName !== name && { newName }) })
}

export async function deleteGroup(ctx: Context, where: Where, name: string): Promise<void> {
  const row = await lockTemplate(ctx, where)
  const { [name]: before, ...groups } = row.draft.groups
  if (!before) refuse(commonErrors.notFound, { entity: 'group', id: name })
  await writeDraft(ctx, where, { ...row.draft, groups, parameters: moved(row.draft, name, null, row.revision + 1) })
  record(ctx, where, 'group_deleted', { name })
}
