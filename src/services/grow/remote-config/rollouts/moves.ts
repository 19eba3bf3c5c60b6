import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Finding, GuardCause } from '../../../../kernel/ramp/guards.ts'
import { type RampAction, rampFacts, rampPercent } from '../../../../kernel/ramp/ramp.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import type { Where } from '../drafts.ts'
import type { RunningRollout } from '../rules.ts'
import { putBeside, releaseRollout } from '../running.ts'
import { rcsRolloutChanges, rcsRollouts as rows } from '../tables.ts'
import { type Agreement, agreementFacts, agreementOf, refuseUnmet } from './agreement/agreement.ts'
import { assertFree, assertRoom, assertTarget } from './checks.ts'
import { firstLookMs, isGuarded, isWaiting, planMove, type RolloutDeed, rolloutCycle } from './rules.ts'

export type RolloutRow = typeof rows.$inferSelect

export interface MoveWish {
  /** Said by a person, or why the clock did it. */
  reason?: string
  startAt?: number
  seed?: string
  /** The clock moves it: nobody's right is asked. */
  isByClock?: true
  /** Others agreed: the one who did last makes the move. */
  isAgreed?: true
  /** What a look found. */
  cause?: GuardCause
  finding?: Finding
}

/** Moves after which nothing is left to agree to. */
const settling: readonly RampAction[] = ['start', 'rollback', 'complete', 'cancel']

/** Moves a held row, brings to apps what changes for them, and writes it down; answers the row as it is then. */
export async function moveRollout(
  ctx: Context,
  row: RolloutRow,
  action: RampAction,
  { reason = '', isByClock, isAgreed, cause, finding, ...wish }: MoveWish = {},
): Promise<RolloutRow> {
  const now = ctx.now()
  const { rolloutId, createdBy } = row
  const { next, facts: ofRamp } = planMove(row, action, now, wish)
  const percent = rampPercent(next)
  const isAllowed = isByClock === true || isAgreed === true
  const agreement = await agreementOf(ctx, row)
  const agreed = agreementFacts(ctx, row, agreement, { hasReason: reason.trim() !== '' })
  const facts = { ...ofRamp, ...agreed, isFree: isAllowed || agreed.isFree }
  if (action === 'start' && next !== row && facts.isFree) await assertStart(ctx, row)
  await transition(ctx, {
    ...{ ...livingRow(row), action, facts, unmet: refuseUnmet(ctx, row, agreement, facts) },
    data: {
      ...{ ...subjectOf(row), percent, reason, createdBy },
      ...{ isByClock: isByClock === true, waits: isWaiting(next), cause: cause ?? null, finding: finding ?? null },
    },
    note: { percent, ...(reason !== '' && { reason }) },
    ...(isAllowed && { isConsequence: true }),
  })
  const isOver = next.state === 'completed' || next.state === 'rolledBack' || next.state === 'cancelled'
  const isNews = next.state === 'completed' || percent !== rampPercent(row)
  const isSettled = isOver || settling.includes(action)
  const [moved] = await ctx.db
    .update(rows)
    .set({
      ...{ step: next.step, seed: next.seed, dueAt: next.dueAt, pausedAt: next.pausedAt },
      ...(action === 'start' && next.state !== 'scheduled' && { startedAt: now }),
      ...(action === 'start' && { startAt: null }),
      ...(isSettled && { asked: null, askedIn: null }),
      endedAt: isOver ? now : null,
      heldBy: action === 'pause' ? (cause ?? null) : null,
      ...(isNews && begun(row, percent, now)),
    })
    .where(eq(rows.rolloutId, rolloutId))
    .returning()
  const version = isNews ? await putInForce(ctx, moved as RolloutRow) : null
  const isForced = !isAllowed && (action === 'start' || action === 'complete') && isShort(row, agreement)
  const by = isByClock ? null : ctx.caller.accountId
  const found = { cause: cause ?? null, finding: finding ?? null }
  await writeChange(ctx, moved as RolloutRow, action, { version, reason, actorId: by, ...found, isForced })
  return moved as RolloutRow
}

const isShort = ({ asked }: RolloutRow, { needed, agreed }: Agreement) => (asked === null ? 0 : agreed.length) < needed

const livingRow = ({ rolloutId: id, state, revision, teamId }: RolloutRow) => ({
  ...{ cycle: rolloutCycle, table: 'rcs_rollouts', idColumn: 'rollout_id', teamId },
  row: { id, state, revision },
})

const subjectOf = ({ projectId, kind, name, parameter }: RolloutRow) => ({ projectId, kind, name, parameter })

export interface StillWish {
  reason?: string
  /** What the event and the audit row tell besides. */
  data?: Record<string, unknown>
}

/** Makes a move that leaves a held row in its state, and writes it down; answers the row and its line of the history. */
export async function stay(
  ctx: Context,
  row: RolloutRow,
  action: Exclude<RolloutDeed, RampAction>,
  { reason = '', data = {} }: StillWish = {},
): Promise<{ row: RolloutRow; changeId: string }> {
  const agreement = await agreementOf(ctx, row)
  const ofRamp = { ...rampFacts(row), isAhead: false, isDone: false }
  const facts = { ...ofRamp, ...agreementFacts(ctx, row, agreement, { hasReason: reason.trim() !== '' }) }
  const asks = action === 'askStart' ? 'start' : action === 'askComplete' ? 'complete' : row.asked
  const { revision } = await transition(ctx, {
    ...{ ...livingRow(row), action, facts, unmet: refuseUnmet(ctx, row, agreement, facts) },
    data: { ...subjectOf(row), reason, what: asks, askedBy: agreement.asking?.actorId ?? null, ...data },
    note: { ...data, ...(reason !== '' && { reason }) },
  })
  const moved = { ...row, revision, updatedAt: ctx.now() }
  const said = { version: null, reason, actorId: ctx.caller.accountId, cause: null, finding: null, isForced: false }
  return { row: moved, changeId: await writeChange(ctx, moved, action, said) }
}

type Said = Pick<
  typeof rcsRolloutChanges.$inferSelect,
  'version' | 'reason' | 'actorId' | 'cause' | 'finding' | 'isForced'
>

async function writeChange(ctx: Context, row: RolloutRow, action: RolloutDeed, said: Said): Promise<string> {
  const { rolloutId, projectId, teamId, state, step } = row
  const changeId = ctx.newId()
  await ctx.db.insert(rcsRolloutChanges).values({
    ...{ changeId, rolloutId, projectId, teamId, action, state, step, percent: rampPercent(row) },
    ...{ ...said, at: ctx.now() },
  })
  return changeId
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
export async function assertStart(ctx: Context, row: RolloutRow): Promise<void> {
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
