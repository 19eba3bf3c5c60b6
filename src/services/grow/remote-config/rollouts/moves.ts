import { and, asc, eq, inArray } from 'drizzle-orm'
import type { GuardCause } from '../../../../kernel/ramp/guards.ts'
import { type RampAction, rampPercent } from '../../../../kernel/ramp/ramp.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { refuseUnapprovedResult } from '../approvals.ts'
import type { Where } from '../drafts.ts'
import type { RunningRollout } from '../rules.ts'
import { putBeside, releaseRollout } from '../running.ts'
import { rcsRolloutChanges, rcsRollouts as rows } from '../tables.ts'
import { assertFree, assertRoom, assertTarget } from './checks.ts'
import { firstLookMs, isGuarded, isWaiting, planMove, rolloutCycle } from './rules.ts'

export type RolloutRow = typeof rows.$inferSelect

export interface MoveWish {
  /** Said by a person, or why the clock did it. */
  reason?: string
  startAt?: number
  seed?: string
  /** The clock moves it: nobody's right is asked. */
  isByClock?: true
  /** What a look found. */
  cause?: GuardCause
}

/** Moves a held row, brings to apps what changes for them, and writes it down; answers the row as it is then. */
export async function moveRollout(
  ctx: Context,
  row: RolloutRow,
  action: RampAction,
  { reason = '', isByClock, cause, ...wish }: MoveWish = {},
): Promise<RolloutRow> {
  const now = ctx.now()
  const { rolloutId, projectId, kind, teamId, name, parameter } = row
  const { next, facts } = planMove(row, action, now, wish)
  const percent = rampPercent(next)
  if (action === 'start' && next !== row) await assertStart(ctx, row, reason, isByClock === true)
  await transition(ctx, {
    ...{ cycle: rolloutCycle, table: 'rcs_rollouts', idColumn: 'rollout_id', action, facts, teamId },
    row: { id: rolloutId, state: row.state, revision: row.revision },
    data: {
      ...{ projectId, kind, name, parameter, percent, reason, createdBy: row.createdBy },
      ...{ isByClock: isByClock === true, waits: isWaiting(next), cause: cause ?? null },
    },
    note: { percent, ...(reason !== '' && { reason }) },
    ...(isByClock && { isConsequence: true }),
  })
  const isOver = next.state === 'completed' || next.state === 'rolledBack' || next.state === 'cancelled'
  const isNews = next.state === 'completed' || percent !== rampPercent(row)
  const [moved] = await ctx.db
    .update(rows)
    .set({
      ...{ step: next.step, seed: next.seed, dueAt: next.dueAt, pausedAt: next.pausedAt },
      ...(action === 'start' && next.state !== 'scheduled' && { startedAt: now }),
      endedAt: isOver ? now : null,
      heldBy: action === 'pause' ? (cause ?? null) : null,
      ...(isNews && begun(row, percent, now)),
    })
    .where(eq(rows.rolloutId, rolloutId))
    .returning()
  const version = isNews ? await putInForce(ctx, moved as RolloutRow) : null
  await ctx.db.insert(rcsRolloutChanges).values({
    ...{ changeId: ctx.newId(), rolloutId, projectId, teamId, action, state: next.state, step: next.step, percent },
    ...{ version, reason, actorId: isByClock ? null : ctx.caller.accountId, at: now },
    cause: cause ?? null,
  })
  return moved as RolloutRow
}

/** A share begins with nothing known of it; there is nothing to compare where nobody or everybody is in. */
function begun(row: RolloutRow, percent: number, now: number) {
  const isJudged = isGuarded(row) && percent > 0 && percent < 100
  // Who took it back stays to be read.
  const look = percent === 0 ? {} : { look: null }
  return {
    stepStartedAt: now,
    lookAt: isJudged ? now + firstLookMs : null,
    lookJobId: null,
    lookProblem: null,
    ...look,
  }
}

/** What a start rests on is asked again when its time has come: much may have happened meanwhile. */
async function assertStart(ctx: Context, row: RolloutRow, reason: string, isByClock: boolean): Promise<void> {
  if (!isByClock) await refuseUnapprovedResult(ctx, row.projectId, reason)
  const { others } = await assertFree(ctx, row)
  assertRoom(others)
  await assertTarget(ctx, row, row)
}

/** Everybody who fetches hears of it: the share of one step, or the value for all of them as a part of the template. */
async function putInForce(ctx: Context, row: RolloutRow): Promise<number> {
  const { name, parameter, condition, value } = row
  const description = `${name}: ${rampPercent(row)} %`
  const rolloutsNow = () => inForce(ctx, row)
  if (row.state !== 'completed')
    return putBeside(ctx, row, async () => ({ rollouts: await rolloutsNow() }), description)
  return releaseRollout(ctx, row, { parameter, condition, value, rolloutsNow, description })
}

async function inForce(ctx: Context, { projectId, kind }: Where): Promise<RunningRollout[]> {
  const found = await ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.projectId, projectId), eq(rows.kind, kind), inArray(rows.state, ['running', 'paused'])))
    .orderBy(asc(rows.rolloutId))
  return found.map(row => {
    const { rolloutId, name, parameter, condition, value, seed, unitAttr } = row
    const percent = rampPercent(row)
    const since = isGuarded(row) && percent < 100 && row.stepStartedAt !== null ? { since: row.stepStartedAt } : {}
    return { rolloutId, name, parameter, condition, value, seed, unitAttr, percent, ...since }
  })
}
