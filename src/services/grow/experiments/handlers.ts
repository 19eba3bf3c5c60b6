import { and, count, desc, eq, ilike, lt } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import { problemsOf } from '../../../kernel/targeting/rule.ts'
import type { Context } from '../../../server/context.ts'
import { badInput } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { attributesOfProject, parametersInForce, rolloutsIn } from '../remote-config/public.ts'
import { audienceEstimate } from '../targeting/public.ts'
import { summariesOf } from './analysis/summaries.ts'
import { assertDesign, ownersOf } from './checks.ts'
import { experimentErrors as errors, experiments } from './contract.ts'
import { change } from './editing.ts'
import { holdoutOf, newSeed, usualPercent } from './layers/holdout.ts'
import { conclude, moveTo, pause, resume, ship, start, stop, validate } from './moves.ts'
import { like, pageIn } from './paging.ts'
import { aboutOf, loadExperiment, loadToChange, projectHere, refuseTaken, viewOf, write } from './rows.ts'
import { type Design, limits, live, newDesign } from './rules.ts'
import { putInForce, type Row } from './running.ts'
import { experimentRows as rows } from './tables.ts'

type Held = (ctx: Context, row: Row) => Promise<Row>
interface Moving {
  params: { experimentId: string }
  body: { revision: number }
}
/** A call that moves one experiment and answers it. */
const moving =
  (act: Held) =>
  async (ctx: Context, { params, body }: Moving) =>
    viewOf(ctx, await act(ctx, await loadToChange(ctx, params.experimentId, body.revision)))

export default implement(experiments, {
  listExperiments: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    const search = query.search?.trim()
    const wanted = and(
      eq(rows.projectId, projectId),
      query.state ? eq(rows.state, query.state) : undefined,
      search ? ilike(rows.name, like(search)) : undefined,
    )
    const pageSize = query.pageSize ?? 20
    const list = await ctx.db
      .select()
      .from(rows)
      .where(and(wanted, query.cursor ? lt(rows.experimentId, query.cursor) : undefined))
      .orderBy(desc(rows.experimentId))
      .limit(pageSize)
    const [counted] = await ctx.db.select({ total: count() }).from(rows).where(wanted)
    const summaries = await summariesOf(ctx, list)
    return {
      total: counted?.total ?? 0,
      list: list.map(row => ({ ...row, ...aboutOf(row), ...summaries(row) })),
      nextCursor: list.length === pageSize ? (list.at(-1)?.experimentId ?? null) : null,
    }
  },

  createExperiment: async (ctx, { body }) => {
    const { projectId } = await projectHere(ctx, body.projectId)
    const wish = body.design ?? {}
    const metrics = (wish.metrics ?? []).map(one => ({ ...one, isPostHoc: false }))
    const usual = newDesign()
    // Named variants without a named baseline: the first one is what is in force now.
    const baseline = wish.baseline ?? wish.variants?.[0]?.key ?? usual.baseline
    const design: Design = { ...usual, ...wish, metrics, baseline }
    return viewOf(ctx, await insert(ctx, { projectId, kind: body.kind ?? 'client', name: body.name, design }))
  },

  getExperiment: async (ctx, { params }) => viewOf(ctx, await loadExperiment(ctx, params.experimentId)),

  updateExperiment: async (ctx, { params, body }) => {
    const row = await loadToChange(ctx, params.experimentId, body.revision)
    const { row: changed, warnings } = await change(ctx, row, body)
    return viewOf(ctx, changed, warnings)
  },

  deleteExperiment: async (ctx, { params }) => {
    const row = await loadExperiment(ctx, params.experimentId, true)
    if (row.state !== 'draft') refuse(errors.notDraft)
    await moveTo(ctx, row, 'remove')
    await ctx.db.delete(rows).where(eq(rows.experimentId, row.experimentId))
    return {}
  },

  validateExperiment: moving(validate),
  startExperiment: async (ctx, { params, body }) => {
    const started = await start(ctx, params.experimentId, body.revision)
    return viewOf(ctx, started)
  },
  pauseExperiment: moving(pause),
  resumeExperiment: moving(resume),
  stopExperiment: moving((ctx, row) => stop(ctx, row)),
  archiveExperiment: moving((ctx, row) => moveTo(ctx, row, 'archive')),

  releaseExperiment: async (ctx, { params, body }) => {
    const row = await loadToChange(ctx, params.experimentId, body.revision)
    return viewOf(ctx, await ship(ctx, row, { ...body, reason: body.reason ?? '' }))
  },

  concludeExperiment: async (ctx, { params, body }) => {
    const row = await loadToChange(ctx, params.experimentId, body.revision)
    return viewOf(ctx, await conclude(ctx, row, { outcome: body.outcome, reason: body.reason ?? '' }))
  },

  copyExperiment: async (ctx, { params, body }) => {
    const { projectId, kind, design } = await loadExperiment(ctx, params.experimentId)
    const metrics = design.metrics.map(one => ({ ...one, isPostHoc: false }))
    return viewOf(ctx, await insert(ctx, { projectId, kind, name: body.name, design: { ...design, metrics } }))
  },

  listTestDevices: async (ctx, { params, query }) => {
    const { testUnits } = await loadExperiment(ctx, params.experimentId)
    const found = Object.entries(testUnits).map(([unit, variant]) => ({ unit, variant }))
    const wanted = found.filter(one => one.unit.startsWith(query.search?.trim() ?? ''))
    return pageIn(
      wanted.sort((a, b) => (a.unit < b.unit ? -1 : 1)),
      query,
    )
  },

  putTestDevice: async (ctx, { params, body }) => {
    const row = await loadExperiment(ctx, params.experimentId, true)
    const unit = body.unit.trim()
    const keys = row.design.variants.map(one => one.key)
    if (!keys.includes(body.variant)) refuse(errors.noVariant, { variant: body.variant, variants: keys })
    const others = Object.entries(row.testUnits).filter(([one]) => one !== unit)
    if (others.length >= limits.testUnits) refuse(errors.tooMany, { limit: limits.testUnits, things: 'test devices' })
    await putTestUnits(ctx, row, Object.fromEntries([...others, [unit, body.variant]]))
    return { unit, variant: body.variant }
  },

  deleteTestDevice: async (ctx, { params, query }) => {
    const row = await loadExperiment(ctx, params.experimentId, true)
    const { [query.unit.trim()]: _gone, ...left } = row.testUnits
    await putTestUnits(ctx, row, left)
    return {}
  },

  listTargets: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    const where = { projectId, kind: query.kind ?? ('client' as const) }
    const owners = await ownersOf(ctx, where)
    const search = query.search?.trim().toLowerCase() ?? ''
    const found = (await parametersInForce(ctx, where)).filter(one => one.key.toLowerCase().includes(search))
    const page = pageIn(found, query)
    const rolled = (await rolloutsIn(ctx, projectId)).filter(one => one.kind === where.kind)
    const list = page.list.map(one => ({
      ...{ ...one, ownedBy: owners.get(one.key) ?? null },
      rollout: rolled.find(other => other.parameter === one.key)?.name ?? null,
    }))
    return { ...page, list }
  },

  listAttributes: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    return pageIn(await attributesOfProject(ctx, projectId), query)
  },

  estimateAudience: async (ctx, { body }) => {
    const { projectId } = await projectHere(ctx, body.projectId)
    const rule = body.rule ?? { op: 'and' as const, args: [] }
    const faults = problemsOf(rule)
    if (faults.length > 0)
      throw badInput(
        faults.map(one => ({ in: 'body', pointer: `/rule${one.pointer}`, rule: 'rule', message: one.problem })),
      )
    const { total, estimate, low, high, isExact } = await audienceEstimate(ctx, projectId, rule)
    const heldBack = (await holdoutOf(ctx, projectId))?.percent ?? usualPercent
    const part = body.layer ? Math.max(0, body.layer.to - body.layer.from) / 100 : 1
    const takingPart = Math.round(estimate * (1 - heldBack / 100) * part * (body.exposurePercent / 100))
    return {
      total,
      matched: estimate,
      low,
      high,
      isExact,
      takingPart,
      ofVariant: Math.floor(takingPart / (body.variants ?? 2)),
    }
  },
})

async function insert(ctx: Context, wanted: Pick<Row, 'projectId' | 'kind' | 'name' | 'design'>): Promise<Row> {
  const { projectId, name, design } = wanted
  await assertDesign(ctx, projectId, design)
  const [counted] = await ctx.db.select({ total: count() }).from(rows).where(eq(rows.projectId, projectId))
  if ((counted?.total ?? 0) >= limits.experiments)
    refuse(errors.tooMany, { limit: limits.experiments, things: 'experiments' })
  const now = ctx.now()
  const [row] = await ctx.db
    .insert(rows)
    .values({
      ...{ experimentId: ctx.newId(), teamId: ctx.teamId, ...wanted, state: 'draft', seed: newSeed() },
      ...{ testUnits: {}, pauses: [], layerId: design.layer?.layerId ?? null },
      ...{ createdAt: now, createdBy: ctx.caller.accountId, updatedAt: now },
    })
    .returning()
    .catch(refuseTaken(name))
  const made = row as Row
  const subject = { entity: 'experiment', entityId: made.experimentId }
  ctx.audit({ action: 'experiment.created', ...subject, after: { name } })
  ctx.emit({ type: 'experiment.created', ...subject, data: { projectId, name } })
  return made
}

async function putTestUnits(ctx: Context, row: Row, testUnits: Record<string, string>): Promise<void> {
  const written = await write(ctx, row, { testUnits })
  const after = { testUnits: Object.keys(testUnits).length }
  ctx.audit({ action: 'experiment.test_devices', entity: 'experiment', entityId: row.experimentId, after })
  if (live.includes(row.state)) await putInForce(ctx, written, `${row.name}: test devices`)
}
