import { and, desc, eq, ilike, lt, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { limits } from '../rules.ts'
import { nonAgApps as rows } from '../tables.ts'
import { nonAgApps as contract, type NonAgApp } from './contract.ts'

type Answer = Static<typeof NonAgApp>

export default implement(contract, {
  listNonAgApps: async (ctx, { query }) => {
    const like = `%${(query.search?.trim() ?? '').replace(/[\\%_]/g, '\\$&')}%`
    const matches = and(
      eq(rows.teamId, ctx.teamId),
      query.search ? or(ilike(rows.appName, like), ilike(rows.packageName, like)) : undefined,
    )
    const pageSize = query.pageSize ?? 20
    const isCursor = query.cursor !== undefined && /^[0-9]{1,19}$/.test(query.cursor)
    const found = await ctx.db
      .select()
      .from(rows)
      .where(and(matches, isCursor ? lt(rows.id, query.cursor ?? '') : undefined))
      .orderBy(desc(rows.id))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize) as Answer[]
    const nextCursor = found.length > pageSize ? (list.at(-1)?.id ?? null) : null
    return { total: await ctx.db.$count(rows, matches), list, nextCursor }
  },

  updateNonAgApp: async (ctx, { body }) => {
    const { id, revision, ...fields } = body
    const [same] = await ctx.db
      .select({ id: rows.id })
      .from(rows)
      .where(
        and(eq(rows.teamId, ctx.teamId), eq(rows.platform, fields.platform), eq(rows.packageName, fields.packageName)),
      )
    if (same && same.id !== id) refuse(contract.errors.named, fields)
    return (id === undefined ? await add(ctx, fields) : await change(ctx, id, revision, fields)) as Answer
  },
})

type Fields = Pick<Answer, 'appName' | 'icon' | 'storeUrl' | 'platform' | 'packageName'>

async function add(ctx: Context, fields: Fields) {
  await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(202, hashtext($1))', [ctx.teamId])
  const limit = limits.nonAgAppsOfTeam
  if ((await ctx.db.$count(rows, eq(rows.teamId, ctx.teamId))) >= limit) refuse(contract.errors.tooMany, { limit })
  const now = ctx.now()
  const row = { id: ctx.newId(), teamId: ctx.teamId, ...fields, createdAt: now, updatedAt: now }
  const [made] = await ctx.db.insert(rows).values(row).returning()
  ctx.audit({ action: 'nonAgApp.add', entity: 'nonAgApp', entityId: row.id, after: fields })
  return made!
}

async function change(ctx: Context, id: string, revision: number | undefined, fields: Fields) {
  const [before] = await ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.id, id), eq(rows.teamId, ctx.teamId)))
    .for('update')
  if (!before) refuse(commonErrors.notFound, { entity: 'app', id })
  if (revision !== undefined && revision !== before.revision) refuse(commonErrors.stale, { revision: before.revision })
  const set = { ...fields, updatedAt: ctx.now(), revision: before.revision + 1 }
  const [after] = await ctx.db.update(rows).set(set).where(eq(rows.id, id)).returning()
  const { appName, packageName } = before
  ctx.audit({
    action: 'nonAgApp.edit',
    entity: 'nonAgApp',
    entityId: id,
    before: { appName, packageName },
    after: fields,
  })
  return after!
}
