import { and, asc, count, desc, eq, gt, ilike, like, lt, sql } from 'drizzle-orm'
import { commonErrors, Refusal, refuse } from '../../../../kernel/errors.ts'
import { unitOf } from '../../../../kernel/targeting/bucket.ts'
import { audiencesOf } from '../../../../kernel/targeting/rule.ts'
import type { Context } from '../../../../server/context.ts'
import { badInput, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { jobOf } from '../../../../server/job-row.ts'
import { assertNoAudience, fieldOf, projectHere } from '../checking.ts'
import { askersOf } from '../public.ts'
import { limits } from '../rules.ts'
import { audienceMembers as members, audiences as rows, ruleSets, audienceSizes as sizes } from '../tables.ts'
import { type AudienceView, audiences as contract } from './contract.ts'
import { dropBatch, gatherFile, openBatch } from './members.ts'
import { preview } from './preview.ts'
import { applyJob, refreshJob, startApply, startRefresh } from './refreshing.ts'
import { type AudienceRule, audienceRuleProblems, lowered } from './rules.ts'
import { sizesOf } from './sizes.ts'

type Row = typeof rows.$inferSelect
const { errors } = contract

export default implement(contract, {
  listAudiences: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    const search = query.search?.trim()
    const wanted = and(
      eq(rows.projectId, projectId),
      query.type ? eq(rows.type, query.type) : undefined,
      search ? ilike(rows.name, `%${escaped(search)}%`) : undefined,
    )
    const pageSize = query.pageSize ?? 20
    const list = await ctx.db
      .select()
      .from(rows)
      .where(and(wanted, query.cursor ? lt(rows.audienceId, query.cursor) : undefined))
      .orderBy(desc(rows.audienceId))
      .limit(pageSize)
    const [counted] = await ctx.db.select({ total: count() }).from(rows).where(wanted)
    const last = list.at(-1)
    const nextCursor = list.length === pageSize && last ? last.audienceId : null
    return { total: counted?.total ?? 0, list: list.map(view), nextCursor }
  },

  createAudience: async (ctx, { body }) => {
    const { projectId, teamId } = await projectHere(ctx, body.projectId)
    const { name, rule } = body
    const refreshEvery = rule ? (body.refreshEvery ?? '1h') : 'manual'
    assertRule(rule ?? null, refreshEvery)
    const [counted] = await ctx.db.select({ total: count() }).from(rows).where(eq(rows.projectId, projectId))
    if ((counted?.total ?? 0) >= limits.audiences) refuse(errors.tooManyAudiences, { limit: limits.audiences })
    const now = ctx.now()
    const [row] = await ctx.db
      .insert(rows)
      .values({
        audienceId: ctx.newId(),
        ...{ projectId, teamId, name, description: body.description ?? '', rule: rule ?? null, refreshEvery },
        ...{ type: rule ? ('DYNAMIC' as const) : ('STATIC' as const), createdAt: now, updatedAt: now },
      })
      .returning()
      .catch(refuseTaken(name))
    return done(ctx, 'created', await begin(ctx, row as Row))
  },

  getAudience: async (ctx, { params }) => {
    const row = await load(ctx, params.audienceId)
    return { ...view(row), work: await workOn(ctx, row) }
  },

  getAudienceSizes: async (ctx, { params }) => sizesOf(ctx, await load(ctx, params.audienceId)),

  updateAudience: async (ctx, { params, body }) => {
    const before = await load(ctx, params.audienceId)
    const { revision, rule, refreshEvery, ...words } = body
    if (before.type === 'STATIC' && (rule || refreshEvery)) refuse(errors.notDynamic)
    assertRule(rule ?? (before.rule as AudienceRule | null), refreshEvery ?? before.refreshEvery)
    const [row] = await ctx.db
      .update(rows)
      .set({
        ...words,
        ...(rule ? { rule } : {}),
        ...(refreshEvery ? { refreshEvery } : {}),
        updatedAt: ctx.now(),
        revision: sql`${rows.revision} + 1`,
      })
      .where(and(eq(rows.audienceId, before.audienceId), eq(rows.revision, revision)))
      .returning()
      .catch(refuseTaken(body.name ?? ''))
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    return done(ctx, 'updated', rule || refreshEvery ? await begin(ctx, row) : row)
  },

  deleteAudience: async (ctx, { params }) => {
    const row = await load(ctx, params.audienceId)
    await assertUnused(ctx, row)
    await ctx.db.delete(members).where(eq(members.audienceId, row.audienceId))
    await ctx.db.delete(sizes).where(eq(sizes.audienceId, row.audienceId))
    await ctx.db.delete(rows).where(eq(rows.audienceId, row.audienceId))
    done(ctx, 'deleted', row)
    return {}
  },

  refreshAudience: async (ctx, { params }) => {
    const { audienceId, teamId, type, refreshEvery } = await load(ctx, params.audienceId)
    if (type === 'STATIC') refuse(errors.notDynamic)
    if (refreshEvery === 'realtime') refuse(errors.keepsNobody)
    return { jobId: await startRefresh(ctx, audienceId, teamId, refreshEvery) }
  },

  uploadMembers: async (ctx, { params, query, stream }) => {
    const batchId = ctx.newId()
    const { audienceId } = await ctx.transact(async inner => {
      const row = await load(inner, params.audienceId)
      if (row.type !== 'STATIC') refuse(errors.notStatic)
      await openBatch(inner, batchId, row.audienceId, query.mode ?? 'REPLACE')
      return row
    })
    try {
      const read = await gatherFile(ctx, batchId, stream, query.hasHeader ?? false)
      if (read.received === 0) refuse(errors.empty)
      const jobId = await ctx.transact(async inner => {
        inner.audit({ action: 'audience.uploaded', entity: 'audience', entityId: audienceId, after: read })
        return startApply(inner, audienceId, batchId)
      })
      return { jobId, ...read }
    } catch (error) {
      await ctx.transact(inner => dropBatch(inner, batchId))
      if (error instanceof Refusal || !String((error as { code?: unknown }).code).startsWith('CSV_')) throw error
      return refuse(errors.unreadable, { reason: (error as Error).message })
    }
  },

  listMembers: async (ctx, { params, query }) => {
    const { audienceId, size } = await load(ctx, params.audienceId)
    const search = query.search?.trim()
    const wanted = and(
      eq(members.audienceId, audienceId),
      search ? like(members.unit, `${escaped(search)}%`) : undefined,
    )
    const pageSize = query.pageSize ?? 20
    const list = await ctx.db
      .select({ unit: members.unit, since: members.since })
      .from(members)
      .where(and(wanted, query.cursor ? gt(members.unit, query.cursor) : undefined))
      .orderBy(asc(members.unit))
      .limit(pageSize)
    const total = search ? ((await ctx.db.select({ total: count() }).from(members).where(wanted))[0]?.total ?? 0) : size
    return { total, list, nextCursor: list.length === pageSize ? (list.at(-1)?.unit ?? null) : null }
  },

  listAudiencesOfUnit: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    const unit = unitOf(query.unit) ?? ''
    const list = await ctx.db
      .select({ audienceId: members.audienceId })
      .from(rows)
      .innerJoin(members, and(eq(members.audienceId, rows.audienceId), eq(members.unit, unit)))
      .where(eq(rows.projectId, projectId))
      .limit(limits.audiences)
    return { unit, audienceIds: list.map(row => row.audienceId) }
  },

  previewAudience: async (ctx, { body }, { request }) => {
    const { projectId } = await ctx.transact(inner => projectHere(inner, body.projectId))
    assertRule(body.rule, 'manual')
    return preview(ctx, projectId, body.rule, { gone: request.signal, seconds: limits.previewSeconds })
  },
})

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const view = (row: Row): AudienceView => ({ ...row, rule: row.rule as AudienceRule | null })

function refuseTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error)) refuse(errors.nameTaken, { name })
    throw error
  }
}

async function load(ctx: Context, audienceId: string): Promise<Row> {
  const [row] = await ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.teamId, ctx.teamId), eq(rows.audienceId, audienceId), ctx.withinScope(rows)))
  return row ?? refuse(commonErrors.notFound, { entity: 'audience', id: audienceId })
}

/** Refuses a rule with problems, and one that cannot be made good as often as it is to be. */
function assertRule(rule: AudienceRule | null, refreshEvery: string): void {
  if (rule === null) return
  const problems = audienceRuleProblems(rule)
  if (problems.length > 0) throw badInput(problems.slice(0, 50).map(one => fieldOf(`/rule${one.pointer}`, one.problem)))
  const { rule: asked, behaviours } = lowered(rule)
  assertNoAudience(asked, '/rule')
  if (refreshEvery === 'realtime' && behaviours.length > 0) refuse(errors.asksForEvents)
}

/** A dynamic audience begins to fill; one in real time lets its members go. */
async function begin(ctx: Context, row: Row): Promise<Row> {
  const { audienceId, teamId, type, refreshEvery } = row
  if (type === 'STATIC') return row
  if (refreshEvery !== 'realtime') return { ...row, jobId: await startRefresh(ctx, audienceId, teamId, refreshEvery) }
  await ctx.db.delete(members).where(eq(members.audienceId, audienceId))
  const nobody = { size: 0, nextRefreshAt: null, refreshedAt: null, jobId: null, problem: null }
  await ctx.db.update(rows).set(nobody).where(eq(rows.audienceId, audienceId))
  return { ...row, ...nobody }
}

/** Rules that ask for it, in drafts or in force, would silently have nobody. What begins to ask meanwhile waits for the row. */
async function assertUnused(ctx: Context, { audienceId, projectId }: Row): Promise<void> {
  await ctx.db.select({ audienceId: rows.audienceId }).from(rows).where(eq(rows.audienceId, audienceId)).for('update')
  const sets = await ctx.db
    .select({ code: ruleSets.code, draft: ruleSets.draft, published: ruleSets.published })
    .from(ruleSets)
    .where(eq(ruleSets.projectId, projectId))
    .limit(limits.ruleSets)
  const asking = sets.filter(({ draft, published }) =>
    [...draft, ...published].some(one => audiencesOf(one.rule).includes(audienceId)),
  )
  const asked = [...asking.map(one => one.code), ...(await askersOf(ctx, projectId, audienceId))]
  if (asked.length > 0) refuse(errors.isInUse, { askers: asked.slice(0, 10) })
}

function done(ctx: Context, what: 'created' | 'updated' | 'deleted', row: Row): AudienceView {
  const { audienceId: entityId, name, projectId } = row
  ctx.audit({ action: `audience.${what}`, entity: 'audience', entityId, after: { name, revision: row.revision } })
  ctx.emit({ type: `audience.${what}`, entity: 'audience', entityId, data: { projectId, name } })
  return view(row)
}

const shown = { queued: 'waiting', running: 'running', done: 'done', failed: 'failed', canceled: 'failed' } as const

/** The job is kept for a time only; an audience without one is at rest. */
async function workOn(ctx: Context, { jobId, type }: Row) {
  if (jobId === null) return null
  const job = await jobOf(ctx, type === 'STATIC' ? applyJob : refreshJob, jobId).catch(error => {
    if (error instanceof Refusal) return null
    throw error
  })
  return job && { state: shown[job.state], percent: job.percent }
}
