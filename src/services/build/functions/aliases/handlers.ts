import { and, asc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { assertNoCanary } from '../canary/queries.ts'
import { functionErrors } from '../contract.ts'
import { forgetQualifier, tellControls } from '../governance/controls.ts'
import { problemOf } from '../problems/rules.ts'
import { loadFunction, versionRow } from '../queries.ts'
import { type Additional, latest, limits } from '../rules.ts'
import { functionAliases as aliases } from '../tables.ts'
import { triggersTo } from '../triggers/queries.ts'
import { functionAliases } from './contract.ts'

const isOne = (functionId: string, name: string) => and(eq(aliases.functionId, functionId), eq(aliases.name, name))

export default implement(functionAliases, {
  listAliases: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const list = await ctx.db
      .select()
      .from(aliases)
      .where(eq(aliases.functionId, functionId))
      .orderBy(asc(aliases.name))
    return { total: list.length, list, nextCursor: null }
  },

  createAlias: async (ctx, { params, body }) => {
    const { functionId, functionName, teamId } = await loadFunction(ctx, params.functionId, true)
    const { name, version, additional = null, description = '' } = body
    await assertVersions(ctx, functionId, version, additional)
    const all = await ctx.db.$count(aliases, eq(aliases.functionId, functionId))
    if (all >= limits.aliases)
      refuse(functionErrors.tooMany, problemOf('manyAliases', { name: functionName, limit: limits.aliases }))
    const now = ctx.now()
    const row = {
      functionId,
      teamId,
      name,
      version,
      additional,
      description,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    }
    await ctx.db
      .insert(aliases)
      .values(row)
      .catch(error => {
        if (isDuplicate(error)) throw badField('/name', 'unique', `${name} is there already`)
        throw error
      })
    ctx.audit({
      action: 'function.createAlias',
      entity: 'function',
      entityId: functionId,
      after: { name, version, additional },
    })
    tellControls(ctx, functionId)
    return { alias: row }
  },

  getAlias: async (ctx, { params }) => {
    await loadFunction(ctx, params.functionId)
    return { alias: await aliasOf(ctx, params.functionId, params.name) }
  },

  updateAlias: async (ctx, { params, body }) => {
    const { functionId } = await loadFunction(ctx, params.functionId, true)
    const before = await aliasOf(ctx, functionId, params.name)
    await assertNoCanary(ctx, functionId, params.name)
    const { version, additional = null, description = before.description } = body
    if (before.revision !== body.revision) refuse(commonErrors.stale, { revision: before.revision })
    await assertVersions(ctx, functionId, version, additional)
    const change = { version, additional, description, updatedAt: ctx.now(), revision: before.revision + 1 }
    await ctx.db.update(aliases).set(change).where(isOne(functionId, params.name))
    const told = { name: before.name, version: before.version, additional: before.additional }
    ctx.audit({
      action: 'function.updateAlias',
      entity: 'function',
      entityId: functionId,
      before: told,
      after: { version, additional },
    })
    tellControls(ctx, functionId)
    return { alias: { ...before, ...change } }
  },

  deleteAlias: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId, true)
    const { name, version } = await aliasOf(ctx, functionId, params.name)
    await assertNoCanary(ctx, functionId, name)
    const users = await triggersTo(ctx, functionId, [name])
    if (users.length > 0) refuse(functionErrors.inUse, { users: users.join(', ') })
    await ctx.db.delete(aliases).where(isOne(functionId, name))
    await forgetQualifier(ctx, functionId, name)
    ctx.audit({ action: 'function.deleteAlias', entity: 'function', entityId: functionId, before: { name, version } })
    return {}
  },
})

async function aliasOf(ctx: Context, functionId: string, name: string) {
  const [row] = await ctx.db.select().from(aliases).where(isOne(functionId, name))
  return row ?? refuse(commonErrors.notFound, { entity: 'alias', id: name })
}

/** Both versions are there, and the second is another one that is no moving target. */
async function assertVersions(
  ctx: Context,
  functionId: string,
  version: string,
  additional: Additional | null,
): Promise<void> {
  if (version !== latest) await versionRow(ctx, functionId, version)
  if (!additional) return
  const needed = additional.mode === 'WEIGHT' ? 'weight' : 'rules'
  if (additional[needed] === undefined)
    throw badField(`/additional/${needed}`, 'required', `is needed for ${additional.mode}`)
  if (additional.version === latest) throw badField('/additional/version', 'published', 'must be a published version')
  if (additional.version === version)
    throw badField('/additional/version', 'another', 'must be another version than the first')
  await versionRow(ctx, functionId, additional.version)
}
