import { and, asc, eq, gt, ilike, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import type { Handlers } from '../../../server/implement.ts'
import { type menu, menuErrors } from './contract.ts'
import { limits, repeatedTag } from './rules.ts'
import { tagSets } from './tables.ts'

type TagSetCalls = 'listTagSets' | 'createTagSet' | 'updateTagSet' | 'deleteTagSet'

export const tagSetHandlers: Pick<Handlers<typeof menu>, TagSetCalls> = {
  listTagSets: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    if (query.tagSetId) return { total: 1, list: [await load(ctx, query.tagSetId)], nextCursor: null }
    const like = `%${(query.search ?? '').replace(/[\\%_]/g, '\\$&')}%`
    const own = and(eq(tagSets.teamId, ctx.teamId), query.search ? ilike(tagSets.name, like) : undefined)
    const rows = await ctx.db
      .select()
      .from(tagSets)
      .where(and(own, query.cursor ? gt(tagSets.tagSetId, idCursor(query.cursor)) : undefined))
      .orderBy(asc(tagSets.tagSetId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(tagSets, own),
      list,
      nextCursor: rows.length > pageSize ? (list.at(-1)?.tagSetId ?? null) : null,
    }
  },

  createTagSet: async (ctx, { body }) => {
    checkTags(body.tags)
    await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(106, hashtext($1))', [ctx.teamId])
    const count = await ctx.db.$count(tagSets, eq(tagSets.teamId, ctx.teamId))
    if (count >= limits.tagSets) refuse(menuErrors.tooManyTagSets, { limit: limits.tagSets })
    const now = ctx.now()
    const row = { tagSetId: ctx.newId(), teamId: ctx.teamId, ...body, createdAt: now, updatedAt: now, revision: 1 }
    await ctx.db.insert(tagSets).values(row).catch(orNameTaken(body.name))
    record(ctx, 'created', row.tagSetId)
    return row
  },

  updateTagSet: async (ctx, { body }) => {
    checkTags(body.tags)
    const before = await load(ctx, body.tagSetId)
    const [row] = await ctx.db
      .update(tagSets)
      .set({ name: body.name, tags: body.tags, updatedAt: ctx.now(), revision: sql`${tagSets.revision} + 1` })
      .where(and(isOwn(ctx, body.tagSetId), eq(tagSets.revision, body.revision)))
      .returning()
      .catch(orNameTaken(body.name))
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    record(ctx, 'updated', row.tagSetId)
    return row
  },

  deleteTagSet: async (ctx, { query }) => {
    const { tagSetId, revision } = await load(ctx, query.tagSetId)
    if (ctx.place.revision !== undefined && ctx.place.revision !== revision) refuse(commonErrors.stale, { revision })
    await ctx.db.delete(tagSets).where(isOwn(ctx, tagSetId))
    record(ctx, 'deleted', tagSetId)
    return {}
  },
}

/** A cursor that is the id of the last row. */
export function idCursor(cursor: string): string {
  if (!/^[1-9]\d{0,18}$/.test(cursor)) throw badField('/cursor', 'cursor', 'is not the nextCursor of a page', 'query')
  return cursor
}

const isOwn = (ctx: Context, tagSetId: string) => and(eq(tagSets.tagSetId, tagSetId), eq(tagSets.teamId, ctx.teamId))

async function load(ctx: Context, tagSetId: string) {
  const [row] = await ctx.db.select().from(tagSets).where(isOwn(ctx, tagSetId))
  return row ?? refuse(commonErrors.notFound, { entity: 'tag set', id: tagSetId })
}

function checkTags(tags: readonly { name: string }[]): void {
  const at = repeatedTag(tags)
  if (at >= 0) throw badField(`/tags/${at}/name`, 'unique', `${tags[at]?.name} is in this set already`)
}

function record(ctx: Context, what: 'created' | 'updated' | 'deleted', tagSetId: string): void {
  ctx.audit({ action: `tagSet.${what}`, entity: 'tag set', entityId: tagSetId })
  ctx.emit({ type: `tag_set.${what}`, entity: 'tag set', entityId: tagSetId })
}

function orNameTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error, 'tag_sets_name')) refuse(menuErrors.nameTaken, { name })
    throw error
  }
}
