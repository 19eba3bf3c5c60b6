import { and, asc, eq, inArray, lt, lte } from 'drizzle-orm'
import { Refusal } from '../../../../kernel/errors.ts'
import { rampDue } from '../../../../kernel/ramp/ramp.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { rcsRolloutChanges, rcsRollouts as rows } from '../tables.ts'
import { moveRollout, type RolloutRow } from './moves.ts'
import { reasonLength } from './rules.ts'

const mostAtOnce = 50

/** Takes rollouts a step further whose time has come, each in a transaction of its own team. What is refused stands still. */
export async function advanceRollouts(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select({ rolloutId: rows.rolloutId, teamId: rows.teamId })
    .from(rows)
    .where(and(inArray(rows.state, ['scheduled', 'running']), lte(rows.dueAt, ctx.now())))
    .orderBy(asc(rows.dueAt), asc(rows.rolloutId))
    .limit(mostAtOnce)
  for (const { rolloutId, teamId } of due) {
    const team = systemContext(ctx.server, ctx.zone, { name: 'remoteConfig', teamId })
    try {
      await team.transact(inner => whenDue(inner, rolloutId, row => goOn(inner, row)))
    } catch (error) {
      if (!(error instanceof Refusal)) {
        ctx.log.error({ rolloutId, reason: (error as Error).message }, 'a rollout could not go on')
        continue
      }
      await team.transact(inner => whenDue(inner, rolloutId, row => halt(inner, row, reasonOf(error))))
    }
  }
}

/** Under the lock of the row: whoever else looked at the same time has moved it by then. */
async function whenDue(ctx: Context, rolloutId: string, act: (row: RolloutRow) => Promise<unknown>): Promise<void> {
  const [row] = await ctx.db.select().from(rows).where(eq(rows.rolloutId, rolloutId)).for('update')
  if (row && rampDue(row, ctx.now()) !== null) await act(row)
}

async function goOn(ctx: Context, row: RolloutRow): Promise<void> {
  const due = rampDue(row, ctx.now())
  if (due !== null) await moveRollout(ctx, row, due, { isByClock: true })
}

/** Rollouts that ended before a time go with their history, as versions and schedules do. */
export async function dropEnded(ctx: Context, before: number): Promise<void> {
  const gone = await ctx.db
    .delete(rows)
    .where(and(inArray(rows.state, ['completed', 'rolledBack', 'cancelled']), lt(rows.endedAt, before)))
    .returning({ rolloutId: rows.rolloutId })
  const ids = gone.map(one => one.rolloutId)
  if (ids.length > 0) await ctx.db.delete(rcsRolloutChanges).where(inArray(rcsRolloutChanges.rolloutId, ids))
}

/** What is wrong, in the words of the first field where there is one. */
function reasonOf({ detail, message }: Refusal): string {
  const [field] = (detail['fields'] ?? []) as { message: string }[]
  return (field?.message ?? message).slice(0, reasonLength)
}

const halt = (ctx: Context, row: RolloutRow, reason: string) =>
  moveRollout(ctx, row, row.state === 'scheduled' ? 'cancel' : 'pause', { isByClock: true, reason })
