import { and, count, desc, eq, ilike, inArray, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { like } from '../paging.ts'
import { projectHere } from '../rows.ts'
import { freeParts, limits, live } from '../rules.ts'
import { putInForce } from '../running.ts'
import { experimentRows, holdoutRows, layerRows as rows } from '../tables.ts'
import { experimentLayers as contract, type LayerView } from './contract.ts'
import { holdoutOf, lockHoldout, newSeed, usualPercent } from './holdout.ts'
import { reportOfHoldout } from './holdout-report.ts'

type Row = typeof rows.$inferSelect
const { errors } = contract

export default implement(contract, {
  listLayers: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    const search = query.search?.trim()
    const wanted = and(eq(rows.projectId, projectId), search ? ilike(rows.name, like(search)) : undefined)
    const pageSize = query.pageSize ?? 20
    const list = await ctx.db
      .select()
      .from(rows)
      .where(and(wanted, query.cursor ? lt(rows.layerId, query.cursor) : undefined))
      .orderBy(desc(rows.layerId))
      .limit(pageSize)
    const [counted] = await ctx.db.select({ total: count() }).from(rows).where(wanted)
    const nextCursor = list.length === pageSize ? (list.at(-1)?.layerId ?? null) : null
    return { total: counted?.total ?? 0, list: await viewsOf(ctx, list), nextCursor }
  },

  createLayer: async (ctx, { body }) => {
    const { projectId, teamId } = await projectHere(ctx, body.projectId)
    const { name, unitAttr = 'targetingKey' } = body
    const [counted] = await ctx.db.select({ total: count() }).from(rows).where(eq(rows.projectId, projectId))
    if ((counted?.total ?? 0) >= limits.layers) refuse(errors.tooMany, { limit: limits.layers, things: 'layers' })
    const now = ctx.now()
    const [row] = await ctx.db
      .insert(rows)
      .values({
        layerId: ctx.newId(),
        teamId,
        projectId,
        name,
        unitAttr,
        seed: newSeed(),
        createdAt: now,
        updatedAt: now,
      })
      .returning()
      .catch(refuseTaken(name))
    record(ctx, 'created', row as Row)
    return viewOf(ctx, row as Row)
  },

  getLayer: async (ctx, { params }) => viewOf(ctx, await load(ctx, params.layerId)),

  updateLayer: async (ctx, { params, body }) => {
    const before = await load(ctx, params.layerId)
    const [row] = await ctx.db
      .update(rows)
      .set({ name: body.name, updatedAt: ctx.now(), revision: sql`${rows.revision} + 1` })
      .where(and(eq(rows.layerId, before.layerId), eq(rows.revision, body.revision)))
      .returning()
      .catch(refuseTaken(body.name))
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    record(ctx, 'updated', row)
    return viewOf(ctx, row)
  },

  deleteLayer: async (ctx, { params }) => {
    const row = await load(ctx, params.layerId)
    const { parts } = await viewOf(ctx, row)
    if (parts.length > 0) refuse(errors.layerInUse, { experiments: parts.map(one => one.name) })
    await ctx.db.delete(rows).where(eq(rows.layerId, row.layerId))
    record(ctx, 'deleted', row)
    return {}
  },

  getHoldout: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    const kept = await holdoutOf(ctx, projectId)
    const { percent = usualPercent, unitAttr = 'targetingKey', revision = 0 } = kept ?? {}
    return { projectId, percent, unitAttr, revision }
  },

  putHoldout: async (ctx, { body }) => {
    const { projectId } = await projectHere(ctx, body.projectId)
    const isNew = (await holdoutOf(ctx, projectId)) === null
    const before = await lockHoldout(ctx, projectId)
    if (body.revision !== (isNew ? 0 : before.revision)) refuse(commonErrors.stale, { revision: before.revision })
    const { percent, unitAttr = before.unitAttr } = body
    const kinds = await kindsInForce(ctx, projectId)
    if (unitAttr !== before.unitAttr && kinds.length > 0) refuse(errors.holdoutRuns)
    const [row] = await ctx.db
      .update(holdoutRows)
      .set({ percent, unitAttr, updatedAt: ctx.now(), revision: sql`${holdoutRows.revision} + 1` })
      .where(eq(holdoutRows.projectId, projectId))
      .returning()
    for (const kind of kinds) await putInForce(ctx, { projectId, kind }, `Holdout: ${percent} %`)
    ctx.audit({
      ...{ action: 'experiment_holdout.updated', entity: 'experiment_holdout', entityId: projectId },
      ...{ before: { percent: before.percent }, after: { percent, unitAttr } },
    })
    return { projectId, percent, unitAttr, revision: row?.revision ?? 1 }
  },

  getHoldoutReport: async (ctx, { query }) => reportOfHoldout(ctx, query),
})

async function kindsInForce(ctx: Context, projectId: string) {
  const found = await ctx.db
    .selectDistinct({ kind: experimentRows.kind })
    .from(experimentRows)
    .where(and(eq(experimentRows.projectId, projectId), inArray(experimentRows.state, [...live])))
  return found.map(one => one.kind)
}

async function load(ctx: Context, layerId: string): Promise<Row> {
  const isOwn = and(
    eq(rows.layerId, layerId),
    eq(rows.teamId, ctx.teamId),
    ctx.withinScope({ projectId: rows.projectId }),
  )
  const [row] = await ctx.db.select().from(rows).where(isOwn).for('update')
  return row ?? refuse(commonErrors.notFound, { entity: 'layer', id: layerId })
}

async function viewOf(ctx: Context, row: Row): Promise<LayerView> {
  const [view] = await viewsOf(ctx, [row])
  return view as LayerView
}

async function viewsOf(ctx: Context, list: readonly Row[]): Promise<LayerView[]> {
  if (list.length === 0) return []
  const { experimentId, name, state, design, layerId } = experimentRows
  const ids = list.map(one => one.layerId)
  const found = await ctx.db
    .select({ experimentId, name, state, design, layerId })
    .from(experimentRows)
    .where(and(inArray(layerId, ids), inArray(state, ['draft', 'ready', ...live])))
    .orderBy(experimentId)
  return list.map(row => {
    const parts = found.flatMap(one => {
      const { layer } = one.design
      return layer && one.layerId === row.layerId
        ? [{ from: layer.from, to: layer.to, experimentId: one.experimentId, name: one.name, state: one.state }]
        : []
    })
    return { ...row, parts, free: freeParts(parts.filter(one => live.includes(one.state))) }
  })
}

function record(ctx: Context, what: string, { layerId, name }: Row): void {
  ctx.audit({ action: `experiment_layer.${what}`, entity: 'experiment_layer', entityId: layerId, after: { name } })
}

function refuseTaken(name: string) {
  return (error: unknown): never => {
    if (isDuplicate(error)) refuse(errors.layerNameTaken, { name })
    throw error
  }
}
