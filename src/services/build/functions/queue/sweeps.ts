import type { Context } from '../../../../server/context.ts'
import { queueChannel } from './enqueue.ts'
import { withoutRun } from './held-call.ts'
import { asyncLimits } from './rules.ts'
import { discardCall, settleAttempt } from './settling.ts'
import { hasDue, lostCalls, overdueCalls } from './taking.ts'

const tooOld = { type: 'tooOld', reason: 'it waited too long' }

/** Takes over what a process died in, ends what waited too long, and tells everybody of what is due and was not taken. */
export async function mindQueue(ctx: Context): Promise<void> {
  const lost = withoutRun('LOST', 'serverEnded', 'the server ended while it ran')
  for (const call of await lostCalls(ctx)) await settleAttempt(ctx, call, null, lost)
  for (const call of await overdueCalls(ctx)) await discardCall(ctx, call, tooOld)
  if (await hasDue(ctx)) ctx.signal(ctx.zone, queueChannel, '')
}

const atOnce = 5_000

export async function forgetAsync(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `WITH old AS (DELETE FROM fn_async WHERE request_id IN (SELECT request_id FROM fn_async
        WHERE finished_at < $1 ORDER BY finished_at LIMIT $2) RETURNING request_id)
      DELETE FROM fn_async_attempts WHERE request_id IN (SELECT request_id FROM old)`,
    values: [ctx.now() - asyncLimits.keptMs, atOnce],
  })
}
