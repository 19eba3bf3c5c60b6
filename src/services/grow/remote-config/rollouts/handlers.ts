import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { RampAction } from '../../../../kernel/ramp/ramp.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { projectOf } from '../../../ground/projects/public.ts'
import { remoteConfigErrors as errors } from '../contract.ts'
import { placeOf, type Where } from '../drafts.ts'
import { limits } from '../rules.ts'
import { rcsRollouts as rows } from '../tables.ts'
import { assertAhead, assertFree, assertGuards, assertSteps, assertTarget, type Target } from './checks.ts'
import { rollouts } from './contract.ts'
import { changeDraft } from './editing.ts'
import { metricsToJudgeBy } from './judge.ts'
import { startLook } from './looking.ts'
import { moveRollout, type RolloutRow } from './moves.ts'
import { listChanges, listRollouts, loadRollout, loadToMove, viewOf } from './rows.ts'
import { rolloutCycle, usualSteps, usualUnit } from './rules.ts'

interface Moving {
  params: { rolloutId: string }
  body: { reason?: string; revision: number }
}

/** A call that moves one rollout and answers it. */
const moving =
  (action: RampAction) =>
  async (ctx: Context, { params, body }: Moving) => {
    const { revision, ...wish } = body
    const row = await loadToMove(ctx, params.rolloutId, revision)
    return viewOf(ctx, await moveRollout(ctx, row, action, wish))
  }

export default implement(rollouts, {
  listRollouts: async (ctx, { query }) => listRollouts(ctx, await placeOf(ctx, query), query),

  createRollout: async (ctx, { body }) => {
    const where = await placeOf(ctx, body)
    const steps = body.steps ?? [...usualSteps]
    assertSteps(steps)
    const target = { parameter: body.parameter, condition: body.condition ?? null, value: body.value }
    await assertTarget(ctx, where, target)
    await assertFree(ctx, { ...where, parameter: body.parameter })
    const { guardrails = [], signals = [], srmAction = 'warn' } = body
    await assertGuards(ctx, where.projectId, { guardrails, signals, srmAction })
    const { startAt = null, unitAttr = usualUnit } = body
    assertAhead(ctx, startAt)
    const plan = { name: body.name.trim(), unitAttr, steps, startAt }
    return viewOf(ctx, await insert(ctx, where, { ...target, ...plan, guardrails, signals, srmAction }))
  },

  getRollout: async (ctx, { params }) => viewOf(ctx, await loadRollout(ctx, params.rolloutId)),

  updateRollout: async (ctx, { params, body }) => {
    const { revision, ...wish } = body
    return viewOf(ctx, await changeDraft(ctx, await loadToMove(ctx, params.rolloutId, revision), wish))
  },

  deleteRollout: async (ctx, { params }) => {
    const row = await loadRollout(ctx, params.rolloutId, true)
    const { rolloutId: id, state, revision, projectId, kind, name } = row
    await transition(ctx, {
      ...{ cycle: rolloutCycle, table: 'rcs_rollouts', idColumn: 'rollout_id', action: 'remove' },
      row: { id, state, revision },
      data: { projectId, kind, name },
    })
    await ctx.db.delete(rows).where(eq(rows.rolloutId, id))
    return {}
  },

  startRollout: async (ctx, { params, body }) => {
    const { revision, startAt: said, reason = '' } = body
    const row = await loadToMove(ctx, params.rolloutId, revision)
    const startAt = said === undefined ? row.startAt : said
    return viewOf(ctx, await moveRollout(ctx, row, 'start', { reason, ...(startAt !== null && { startAt }) }))
  },
  advanceRollout: moving('advance'),
  approveRollout: moving('approve'),
  pauseRollout: moving('pause'),
  resumeRollout: moving('resume'),
  rollBackRollout: moving('rollback'),
  completeRollout: moving('complete'),
  cancelRollout: moving('cancel'),
  randomiseRollout: async (ctx, { params, body }) => {
    const { revision, ...wish } = body
    const row = await loadToMove(ctx, params.rolloutId, revision)
    return viewOf(ctx, await moveRollout(ctx, row, 'randomise', { ...wish, seed: newSeed() }))
  },

  lookAtRollout: async (ctx, { params }) => {
    const row = await loadRollout(ctx, params.rolloutId, true)
    if (row.lookAt === null) refuse(errors.notJudged)
    return viewOf(ctx, row.lookJobId === null ? await startLook(ctx, row) : row)
  },

  listRolloutMetrics: async (ctx, { query }) => {
    const { projectId } = await projectOf(ctx, query.projectId)
    return { list: await metricsToJudgeBy(ctx, projectId) }
  },

  listRolloutChanges: async (ctx, { params, query }) => {
    const { rolloutId } = await loadRollout(ctx, params.rolloutId)
    return listChanges(ctx, rolloutId, query)
  },
})

/** A text that nobody can guess: whoever is first was drawn by chance. */
const newSeed = () => randomBytes(12).toString('base64url')

async function insert(
  ctx: Context,
  where: Where,
  plan: Target & Pick<RolloutRow, 'name' | 'unitAttr' | 'steps' | 'guardrails' | 'signals' | 'srmAction' | 'startAt'>,
): Promise<RolloutRow> {
  const kept = await ctx.db.$count(rows, eq(rows.projectId, where.projectId))
  if (kept >= limits.rollouts) refuse(errors.limit, { message: `${kept} rollouts, of ${limits.rollouts}` })
  const now = ctx.now()
  const [row] = await ctx.db
    .insert(rows)
    .values({
      ...{ rolloutId: ctx.newId(), ...where, teamId: ctx.teamId, ...plan, seed: newSeed(), state: 'draft' },
      ...{ createdAt: now, createdBy: ctx.caller.accountId, updatedAt: now },
    })
    .returning()
  const made = row as RolloutRow
  const { rolloutId, name, parameter } = made
  const subject = { entity: 'rollout', entityId: rolloutId }
  ctx.audit({ action: 'rollout.created', ...subject, after: { name, parameter } })
  ctx.emit({ type: 'remote_config.rollout_created', ...subject, data: { ...where, name, parameter } })
  return made
}
