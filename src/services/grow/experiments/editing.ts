import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { assertDesign, faultsOf, neighboursOf } from './checks.ts'
import { experimentErrors as errors } from './contract.ts'
import { lockHoldout } from './layers/holdout.ts'
import { beginPhase, moveTo } from './moves.ts'
import { write } from './rows.ts'
import { type Change, changeWhileRunning, type Design, limits, live, type UsedMetric } from './rules.ts'
import { putInForce, type Row } from './running.ts'

interface Wish {
  name?: string
  design?: Partial<Omit<Design, 'metrics'>> & { metrics?: Omit<UsedMetric, 'isPostHoc'>[] }
  newPhase?: { newSeed: boolean }
}

/** Changes an experiment as its state lets it: a draft anyhow, one that runs as little as its numbers bear. */
export async function change(ctx: Context, row: Row, wish: Wish): Promise<{ row: Row; warnings: Change['warnings'] }> {
  if (live.includes(row.state)) return changeLive(ctx, row, wish)
  if (row.state !== 'draft' && row.state !== 'ready') return rename(ctx, row, wish)
  const metrics = wish.design?.metrics?.map(one => ({ ...one, isPostHoc: false })) ?? row.design.metrics
  const design = { ...row.design, ...wish.design, metrics }
  await assertDesign(ctx, row.projectId, design)
  const draft = row.state === 'ready' ? await moveTo(ctx, row, 'edit') : row
  const layerId = design.layer?.layerId ?? null
  const written = await write(ctx, draft, { design, layerId }, wish.name)
  audit(ctx, row, wish)
  return { row: written, warnings: [] }
}

/** What is over keeps what it was; it may be called otherwise. */
async function rename(ctx: Context, row: Row, wish: Wish) {
  if (wish.design || wish.newPhase) refuse(commonErrors.stateNotAllowed, { state: row.state, allowedActions: [] })
  const written = await write(ctx, row, {}, wish.name)
  audit(ctx, row, wish)
  return { row: written, warnings: [] }
}

async function changeLive(ctx: Context, row: Row, wish: Wish) {
  const { metrics, ...others } = wish.design ?? {}
  const wished: Partial<Design> = { ...others, ...(metrics && { metrics: metrics.map(marked) }) }
  const { refused, warnings, design } = changeWhileRunning(row.design, wished, wish.newPhase !== undefined)
  if (refused.length > 0) refuse(errors.editWhileRunning, { fields: refused })
  await assertDesign(ctx, row.projectId, design)
  if (wish.newPhase) return newPhase(ctx, row, { wish, design, warnings, newSeed: wish.newPhase.newSeed })
  const written = await write(ctx, row, { design }, wish.name)
  if (warnings.includes('exposure')) await putInForce(ctx, written, `${written.name}: ${design.exposurePercent} %`)
  audit(ctx, row, wish, warnings)
  return { row: written, warnings }
}

const marked = (one: Omit<UsedMetric, 'isPostHoc'>): UsedMetric => ({ ...one, isPostHoc: true })

interface Phase {
  wish: Wish
  design: Design
  warnings: Change['warnings']
  newSeed: boolean
}

async function newPhase(ctx: Context, row: Row, { wish, design, warnings, newSeed }: Phase) {
  if (row.phase >= limits.phases) refuse(errors.tooMany, { limit: limits.phases, things: 'phases of an experiment' })
  await lockHoldout(ctx, row.projectId)
  const next = { ...row, design }
  const [fault, ...others] = await faultsOf(ctx, next)
  if (fault) refuse(errors.notSound, { count: others.length + 1, ...fault })
  const { owner, rollout, inLayer } = await neighboursOf(ctx, next)
  if (rollout) refuse(errors.parameterRolledOut, { ...rollout })
  if (owner) refuse(errors.parameterOwned, { ...owner })
  if (inLayer) refuse(errors.layerTaken, { ...inLayer })
  const begun = await beginPhase(ctx, row, design, { newSeed, changes: newSeed ? [...warnings, 'seed'] : warnings })
  const written = wish.name === undefined ? begun : await write(ctx, begun, {}, wish.name)
  await putInForce(ctx, written, `${written.name}: phase ${written.phase}`)
  audit(ctx, row, wish, warnings)
  return { row: written, warnings }
}

function audit(ctx: Context, row: Row, { name, design }: Wish, warnings: readonly string[] = []): void {
  const fields = [...(name === undefined ? [] : ['name']), ...Object.keys(design ?? {})]
  const subject = { entity: 'experiment', entityId: row.experimentId }
  ctx.audit({ action: 'experiment.updated', ...subject, after: { fields, warnings } })
  ctx.emit({ type: 'experiment.updated', ...subject, data: { projectId: row.projectId, name: row.name, fields } })
}
