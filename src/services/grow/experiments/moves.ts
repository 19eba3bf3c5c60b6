import { eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import { releaseValues } from '../remote-config/public.ts'
import { firstAnalysisMs, startAnalysis } from './analysis/job.ts'
import { trustOf } from './analysis/trust.ts'
import { eventsSeen, faultsOf, goalsOf, goalsWithData, neighboursOf } from './checks.ts'
import { experimentErrors as errors } from './contract.ts'
import { lockHoldout, newSeed } from './layers/holdout.ts'
import { loadExperiment, loadToChange, write } from './rows.ts'
import { type Design, experimentCycle, type Fact, limits, type Outcome } from './rules.ts'
import { putInForce, type Row, runningOn } from './running.ts'
import { keptRows, phaseRows, experimentRows as rows } from './tables.ts'

type Action = (typeof experimentCycle.moves)[number]['action']

interface Moved {
  facts?: Partial<Record<Fact, boolean>>
  unmet?: (fact: Fact) => never
  note?: Record<string, unknown>
}

/** Moves a held row and answers it as it is then. */
export async function moveTo(ctx: Context, row: Row, action: Action, { facts, unmet, note }: Moved = {}): Promise<Row> {
  const { experimentId: id, state, revision, projectId, name, kind, phase } = row
  await transition(ctx, {
    ...{
      cycle: experimentCycle,
      table: 'abt_experiments',
      idColumn: 'experiment_id',
      row: { id, state, revision },
      action,
    },
    ...(facts && { facts: facts as Record<Fact, boolean> }),
    ...(unmet && { unmet }),
    ...(note && { note }),
    data: { projectId, name, kind, phase, ...note },
    teamId: row.teamId,
  })
  return loadAgain(ctx, id)
}

async function loadAgain(ctx: Context, id: string): Promise<Row> {
  const [row] = await ctx.db.select().from(rows).where(eq(rows.experimentId, id))
  return row as Row
}

export async function validate(ctx: Context, row: Row): Promise<Row> {
  const faults = await faultsOf(ctx, row)
  const facts = { isSound: faults.length === 0, hasGoal: goalsOf(row.design).length > 0 }
  const unmet = (fact: Fact): never => {
    if (fact === 'hasGoal') refuse(errors.metricsMissing, { message: 'name at least one metric as the goal' })
    return refuseFaults(faults)
  }
  return moveTo(ctx, row, 'validate', { facts, unmet })
}

function refuseFaults(faults: readonly { pointer: string; message: string }[]): never {
  const [first] = faults
  return refuse(errors.notSound, { count: faults.length, ...first, faults: faults.slice(0, 50) })
}

/** Starts an experiment once everything that it needs is there; one at a time in a project. */
export async function start(ctx: Context, experimentId: string, revision: number): Promise<Row> {
  const { projectId } = await ctx.transact(inner => loadExperiment(inner, experimentId))
  const seen = await eventsSeen(ctx, projectId)
  await lockHoldout(ctx, projectId)
  const row = await loadToChange(ctx, experimentId, revision)
  const faults = await faultsOf(ctx, row)
  const { hasGoal, missing } = await goalsWithData(ctx, row, seen)
  const { hasRoom, owner, rollout, inLayer } = await neighboursOf(ctx, row)
  const facts = {
    ...{ hasRoom, hasGoal, hasData: missing === null, isSound: faults.length === 0 },
    ...{ ownsParameters: owner === null && rollout === null, isLayerFree: inLayer === null },
  }
  const unmet = (fact: Fact): never => {
    if (fact === 'hasRoom') refuse(errors.tooManyRunning, { limit: limits.running })
    if (fact === 'hasGoal') refuse(errors.metricsMissing, { message: 'name at least one metric as the goal' })
    if (fact === 'hasData')
      refuse(errors.metricsMissing, { message: `no goal has data: ${(missing ?? []).join('; ')}` })
    if (fact === 'ownsParameters' && rollout) refuse(errors.parameterRolledOut, { ...rollout })
    if (fact === 'ownsParameters') refuse(errors.parameterOwned, { ...owner })
    if (fact === 'isLayerFree') refuse(errors.layerTaken, { ...inLayer })
    return refuseFaults(faults)
  }
  const moved = await moveTo(ctx, row, 'start', { facts, unmet })
  const now = ctx.now()
  await recordPhase(ctx, moved, ['start'], now)
  const started = await write(ctx, moved, {
    ...{ startedAt: now, phaseStartedAt: now, nextAnalysisAt: now + firstAnalysisMs },
  })
  await putInForce(ctx, started, `${started.name}: running`)
  return started
}

export async function recordPhase(ctx: Context, row: Row, changes: string[], startedAt: number): Promise<void> {
  const { experimentId, phase, teamId, design, seed } = row
  const startedBy = ctx.caller.accountId
  await ctx.db.insert(phaseRows).values({ experimentId, phase, teamId, design, seed, changes, startedAt, startedBy })
}

/** A phase begins with another design: numbers begin anew, and units of the one before are left out of them. */
export async function beginPhase(
  ctx: Context,
  row: Row,
  design: Design,
  { newSeed: isReseeded, changes }: { newSeed: boolean; changes: string[] },
): Promise<Row> {
  const now = ctx.now()
  const phase = row.phase + 1
  const seed = isReseeded ? newSeed() : row.seed
  const next = await write(ctx, row, {
    ...{ design, phase, seed, phaseStartedAt: now, snapshotId: null, analysedAt: null },
    ...{ nextAnalysisAt: now + firstAnalysisMs, layerId: design.layer?.layerId ?? null },
  })
  if (isReseeded) await ctx.db.delete(keptRows).where(eq(keptRows.experimentId, row.experimentId))
  await recordPhase(ctx, next, changes, now)
  ctx.emit({
    ...{ type: 'experiment.phase_started', entity: 'experiment', entityId: row.experimentId, teamId: row.teamId },
    data: { projectId: row.projectId, name: row.name, phase, changes },
  })
  return next
}

export async function pause(ctx: Context, row: Row): Promise<Row> {
  const moved = await moveTo(ctx, row, 'pause')
  const paused = await write(ctx, moved, { pauses: [...row.pauses, { from: ctx.now(), to: null }] })
  await putInForce(ctx, paused, `${row.name}: paused`)
  return paused
}

export async function resume(ctx: Context, row: Row): Promise<Row> {
  const moved = await moveTo(ctx, row, 'resume')
  const resumed = await write(ctx, moved, { pauses: closed(row, ctx.now()) })
  await putInForce(ctx, resumed, `${row.name}: running`)
  return resumed
}

const closed = ({ pauses }: Row, now: number) => pauses.map(one => ({ ...one, to: one.to ?? now }))

/** Takes it out of force; what was gathered is analysed a last time. */
export async function stop(ctx: Context, row: Row, action: 'stop' | 'expire' = 'stop'): Promise<Row> {
  const moved = await moveTo(ctx, row, action, action === 'expire' ? { note: { reason: 'maxDays' } } : {})
  const now = ctx.now()
  const stopped = await write(ctx, moved, { stoppedAt: now, pauses: closed(row, now), nextAnalysisAt: null })
  await putInForce(ctx, stopped, `${row.name}: stopped`)
  return startAnalysis(ctx, stopped)
}

interface Conclusion {
  outcome: Outcome
  reason: string
}

/** What a conclusion may rest on: a split as planned, or somebody's reason in words. */
async function trusted(ctx: Context, row: Row, reason: string) {
  const { isTrusted, p } = await trustOf(ctx, row)
  return {
    facts: { isSplitTrusted: isTrusted || reason.trim() !== '' },
    unmet: (): never => refuse(errors.splitUntrusted, { p: p.toPrecision(2) }),
    note: { reason, isSplitTrusted: isTrusted },
  }
}

export async function conclude(ctx: Context, row: Row, { outcome, reason }: Conclusion): Promise<Row> {
  const needs = await trusted(ctx, row, reason)
  const moved = await moveTo(ctx, row, 'conclude', { ...needs, note: { ...needs.note, outcome } })
  return write(ctx, moved, { outcome, conclusion: reason, nextAnalysisAt: null })
}

/** Publishes the values of a variant, for everybody or for those who were meant, as the next version of remote config. */
export async function ship(
  ctx: Context,
  row: Row,
  { variant, audience, reason }: { variant: string; audience: 'everybody' | 'targeted'; reason: string },
): Promise<Row> {
  const { design, name, seed } = row
  const chosen = design.variants.find(one => one.key === variant)
  if (!chosen) refuse(errors.noVariant, { variant, variants: design.variants.map(one => one.key) })
  const needs = await trusted(ctx, row, reason)
  const moved = await moveTo(ctx, row, 'ship', { ...needs, note: { ...needs.note, outcome: 'shipped', variant } })
  const now = ctx.now()
  const { rule } = design
  const condition = audience === 'targeted' && rule ? { name: name.slice(0, 100), rule, seed } : null
  const running = () => runningOn(ctx, row, row.experimentId)
  const description = `${name}: ${variant}`
  // A baseline without values of its own is what is in force without the experiment.
  const isAsItWas = Object.keys(chosen.payload).length === 0
  const shippedVersion = isAsItWas
    ? await putInForce(ctx, row, description)
    : await releaseValues(ctx, row, { values: chosen.payload, condition, running, description, reason })
  return write(ctx, moved, {
    ...{ outcome: 'shipped', shippedVariant: variant, shippedVersion, conclusion: reason, nextAnalysisAt: null },
    ...{ stoppedAt: row.stoppedAt ?? now, pauses: closed(row, now) },
  })
}
