import { and, count, desc, eq, ilike, lt, or, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badInput, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { rolloutsHeld, rolloutsJudged } from '../../remote-config/public.ts'
import { type EventsSeen, eventsSeen, missingOf } from '../checks.ts'
import { like, pageIn } from '../paging.ts'
import { projectHere } from '../rows.ts'
import { limits, type State } from '../rules.ts'
import { experimentRows, metricRows as rows } from '../tables.ts'
import { experimentMetrics as contract, type MetricView } from './contract.ts'
import { type MetricDefinition, metricFaults } from './rules.ts'

type Row = typeof rows.$inferSelect
const { errors } = contract

export default implement(contract, {
  listMetrics: async (ctx, { query }) => {
    const { projectId, seen } = await projectSeen(ctx, query.projectId)
    const search = query.search?.trim()
    const wanted = and(
      eq(rows.projectId, projectId),
      search ? or(ilike(rows.name, like(search)), ilike(sql`${rows.definition}->>'event'`, like(search))) : undefined,
    )
    const pageSize = query.pageSize ?? 20
    const list = await ctx.db
      .select()
      .from(rows)
      .where(and(wanted, query.cursor ? lt(rows.metricId, query.cursor) : undefined))
      .orderBy(desc(rows.metricId))
      .limit(pageSize)
    const [counted] = await ctx.db.select({ total: count() }).from(rows).where(wanted)
    const nextCursor = list.length === pageSize ? (list.at(-1)?.metricId ?? null) : null
    return { total: counted?.total ?? 0, list: await viewsOf(ctx, { projectId, seen }, list), nextCursor }
  },

  createMetric: async (ctx, { body }) => {
    const { projectId, teamId, seen } = await projectSeen(ctx, body.projectId)
    const { name, description = '', definition } = body
    assertMetric(definition)
    const [counted] = await ctx.db.select({ total: count() }).from(rows).where(eq(rows.projectId, projectId))
    if ((counted?.total ?? 0) >= limits.metrics) refuse(errors.tooMany, { limit: limits.metrics, things: 'metrics' })
    const now = ctx.now()
    const [row] = await ctx.db
      .insert(rows)
      .values({
        metricId: ctx.newId(),
        teamId,
        projectId,
        name,
        description,
        definition,
        createdAt: now,
        updatedAt: now,
      })
      .returning()
      .catch(refuseTaken(name))
    return done(ctx, 'created', row as Row, seen)
  },

  getMetric: async (ctx, { params }) => {
    const seen = await seenBy(ctx, params.metricId)
    return viewOf(ctx, await load(ctx, params.metricId), seen)
  },

  updateMetric: async (ctx, { params, body }) => {
    const seen = await seenBy(ctx, params.metricId)
    const before = await load(ctx, params.metricId)
    const { revision, definition, ...words } = body
    if (definition) {
      assertMetric(definition)
      const isOther = JSON.stringify(definition) !== JSON.stringify(before.definition)
      const started = isOther ? await usersOf(ctx, before, true) : []
      if (started.length > 0) refuse(errors.metricInUse, { experiments: started })
      if (isOther) await refuseGuards(ctx, before, one => one.state !== 'draft')
    }
    const [row] = await ctx.db
      .update(rows)
      .set({ ...words, ...(definition && { definition }), updatedAt: ctx.now(), revision: sql`${rows.revision} + 1` })
      .where(and(eq(rows.metricId, before.metricId), eq(rows.revision, revision)))
      .returning()
      .catch(refuseTaken(body.name ?? ''))
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    return done(ctx, 'updated', row, seen)
  },

  deleteMetric: async (ctx, { params }) => {
    const row = await load(ctx, params.metricId)
    const users = await usersOf(ctx, row)
    if (users.length > 0) refuse(errors.metricInUse, { experiments: users })
    await refuseGuards(ctx, row)
    await ctx.db.delete(rows).where(eq(rows.metricId, row.metricId))
    record(ctx, 'deleted', row)
    return {}
  },

  listEvents: async (ctx, { query }) => {
    const { seen } = await projectSeen(ctx, query.projectId)
    const search = query.search?.trim().toLowerCase() ?? ''
    const list = [...seen.values()]
      .filter(one => one.name !== '$exposure' && one.name.toLowerCase().includes(search))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    return pageIn(list, query)
  },
})

/** A project with its events of late, asked before a transaction is open. */
async function projectSeen(ctx: Context, projectId: string) {
  const project = await ctx.transact(inner => projectHere(inner, projectId))
  return { ...project, seen: await eventsSeen(ctx, project.projectId) }
}

async function seenBy(ctx: Context, metricId: string): Promise<EventsSeen> {
  const { projectId } = await ctx.transact(inner => load(inner, metricId))
  return eventsSeen(ctx, projectId)
}

function assertMetric(definition: MetricDefinition): void {
  const faults = metricFaults(definition)
  if (faults.length === 0) return
  throw badInput(faults.map(({ pointer, message }) => ({ in: 'body', pointer, rule: 'metric', message })))
}

async function load(ctx: Context, metricId: string): Promise<Row> {
  const isOwn = and(
    eq(rows.metricId, metricId),
    eq(rows.teamId, ctx.teamId),
    ctx.withinScope({ projectId: rows.projectId }),
  )
  const [row] = await ctx.db.select().from(rows).where(isOwn).for('update')
  return row ?? refuse(commonErrors.notFound, { entity: 'metric', id: metricId })
}

const begun: readonly State[] = ['running', 'paused', 'stopped', 'concluded', 'archived']

/** Experiments that have a metric; those that ever started where only they count. */
async function usersOf(ctx: Context, { metricId, projectId }: Row, isStarted = false): Promise<string[]> {
  const wanted = JSON.stringify([{ metricId }])
  const found = await ctx.db
    .select({ name: experimentRows.name, state: experimentRows.state })
    .from(experimentRows)
    .where(and(eq(experimentRows.projectId, projectId), sql`${experimentRows.design}->'metrics' @> ${wanted}::jsonb`))
    .orderBy(desc(experimentRows.experimentId))
    .limit(50)
  return found.filter(one => !isStarted || begun.includes(one.state)).map(one => one.name)
}

type Judged = Awaited<ReturnType<typeof rolloutsJudged>>[number]

/** Refuses where rollouts are judged by a metric. None is made or starts from then on until the transaction ends. */
async function refuseGuards(ctx: Context, { metricId, projectId }: Row, counts: (one: Judged) => boolean = () => true) {
  await rolloutsHeld(ctx, projectId)
  const judged = await rolloutsJudged(ctx, projectId)
  const rollouts = judged.filter(one => one.metricIds.includes(metricId) && counts(one)).map(one => one.name)
  if (rollouts.length > 0) refuse(errors.metricGuards, { rollouts })
}

async function viewOf(ctx: Context, row: Row, seen: EventsSeen): Promise<MetricView> {
  const [view] = await viewsOf(ctx, { projectId: row.projectId, seen }, [row])
  return view as MetricView
}

async function viewsOf(
  ctx: Context,
  { projectId, seen }: { projectId: string; seen: EventsSeen },
  list: readonly Row[],
): Promise<MetricView[]> {
  const experiments = await ctx.db
    .select({ name: experimentRows.name, metrics: sql<{ metricId: string }[]>`${experimentRows.design}->'metrics'` })
    .from(experimentRows)
    .where(eq(experimentRows.projectId, projectId))
  const judged = await rolloutsJudged(ctx, projectId)
  return list.map(row => ({
    ...row,
    missing: missingOf(row.definition, seen),
    usedBy: experiments.filter(one => one.metrics.some(used => used.metricId === row.metricId)).map(one => one.name),
    guards: judged.filter(one => one.metricIds.includes(row.metricId)).map(one => one.name),
  }))
}

async function done(ctx: Context, what: 'created' | 'updated', row: Row, seen: EventsSeen): Promise<MetricView> {
  record(ctx, what, row)
  return viewOf(ctx, row, seen)
}

function record(ctx: Context, what: string, { metricId, name }: Row): void {
  ctx.audit({ action: `experiment_metric.${what}`, entity: 'experiment_metric', entityId: metricId, after: { name } })
}

function refuseTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error)) refuse(errors.metricNameTaken, { name })
    throw error
  }
}
