import type { Context } from '../../../../server/context.ts'
import { tellDestination } from './destinations.ts'
import { type Attempted, type Ended, type HeldCall, withoutRun } from './held-call.ts'
import { afterAttempt, asyncLimits, retriesAfter } from './rules.ts'

/**
 * Ends an attempt of `owner`, and the call with it where none comes after; its destination is told in the same
 * transaction. Answers what the call became and, of one that waits again, since when it may be taken; null where it is no
 * longer the owner's.
 */
export async function settleAttempt(
  ctx: Context,
  call: HeldCall,
  owner: string | null,
  attempted: Attempted,
): Promise<{ state: Ended | 'WAIT'; availableAt: number } | null> {
  const now = ctx.now()
  const next = afterAttempt(call, attempted.outcome, now)
  const isOver = next.state !== 'WAIT'
  const { outcome, invocationId, errorType, errorMessage } = attempted
  const result =
    attempted.result !== null && attempted.result.length <= asyncLimits.resultBytes ? attempted.result : null
  const availableAt = next.state === 'WAIT' ? next.availableAt : now
  const run = ctx.transaction(ctx.zone)
  const { rowCount } = await run.query({
    name: 'functions settle',
    text: `UPDATE fn_async SET state = $4, owner = NULL, lease_until = NULL, available_at = $5, finished_at = $6,
        result = $7, error_type = $8, reason = $9, max_retry = $10
      WHERE request_id = $1 AND attempt = $2 AND state = 'RUNNING' AND ($3::text IS NULL OR owner = $3)`,
    values: [
      ...[call.requestId, call.attempt, owner, next.state, availableAt, isOver ? now : null],
      ...[outcome === 'SUCCESS' ? result : null, errorType, errorMessage, retriesAfter(call.maxRetry, outcome)],
    ],
  })
  if (rowCount === 0) return null
  await run.query({
    name: 'functions settle attempt',
    text: `UPDATE fn_async_attempts SET ended_at = $3, outcome = $4, invocation_id = $5, error_type = $6, error_message = $7
      WHERE request_id = $1 AND attempt = $2`,
    values: [call.requestId, call.attempt, now, outcome, invocationId, errorType, errorMessage],
  })
  if (next.state !== 'WAIT') await told(ctx, call, next.state, { ...attempted, result })
  return { state: next.state, availableAt }
}

/** Ends a call that waits and is not to be run any more. */
export async function discardCall(ctx: Context, call: HeldCall, why: { type: string; reason: string }): Promise<void> {
  const { rowCount } = await ctx.transaction(ctx.zone).query({
    name: 'functions discard',
    text: `UPDATE fn_async SET state = 'DISCARD', finished_at = $2, reason = $3, error_type = $4 WHERE request_id = $1 AND state = 'WAIT'`,
    values: [call.requestId, ctx.now(), why.reason, why.type],
  })
  if (rowCount === 1) await told(ctx, call, 'DISCARD', withoutRun('REFUSED', why.type, why.reason))
}

async function told(ctx: Context, call: HeldCall, state: Ended, attempted: Attempted): Promise<void> {
  ctx.server.metrics.jobs.inc({ kind: 'functions.async', state: state.toLowerCase() })
  const what = await tellDestination(ctx, call, state, attempted)
  if (what === null) return
  await ctx.transaction(ctx.zone).query({
    name: 'functions told',
    text: 'UPDATE fn_async SET told = $2 WHERE request_id = $1',
    values: [call.requestId, JSON.stringify(what)],
  })
}
