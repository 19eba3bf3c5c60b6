import { createHash } from 'node:crypto'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { headers } from '../../../../kernel/wire.ts'
import type { Context } from '../../../../server/context.ts'
import { functionErrors } from '../contract.ts'
import type { Caller } from '../engine/port.ts'
import { asyncLimits, usualSettings } from './rules.ts'

/** Heard by every process: something may be there to be taken. */
export const queueChannel = 'fnqueue'

/** A call to be made when somebody has a hand free. */
export interface NewCall {
  functionId: string
  teamId: string
  projectId: string
  qualifier: string
  source: 'APP' | 'CONSOLE' | 'TRIGGER' | 'FUNCTION'
  triggerId?: string
  dedupeKey?: string
  payloadSha256?: string
  orderKey?: string
  orderNo?: string
  depth: number
  caller?: Caller | null
  /** JSON. */
  payload: string
}

/** Writes calls down, with the settings that hold now; those whose key is known are left out. Answers the ids of the new ones. */
export async function enqueue(ctx: Context, calls: readonly NewCall[]): Promise<string[]> {
  if (calls.length === 0) return []
  const rows = calls.map(call => ({
    request_id: ctx.newId(),
    function_id: call.functionId,
    team_id: call.teamId,
    project_id: call.projectId,
    qualifier: call.qualifier,
    source: call.source,
    trigger_id: call.triggerId ?? null,
    dedupe_key: call.dedupeKey ?? null,
    payload_sha256: call.payloadSha256 ?? null,
    order_key: call.orderKey ?? null,
    order_no: call.orderNo ?? null,
    depth: call.depth,
    caller: call.caller ?? null,
    payload: call.payload,
  }))
  const { rows: written } = await ctx.transaction(ctx.zone).query<{ request_id: string }>({
    name: 'functions enqueue',
    text: `INSERT INTO fn_async (request_id, function_id, team_id, project_id, qualifier, source, trigger_id, dedupe_key,
        payload_sha256, order_key, order_no, depth, caller, payload, state, max_retry, available_at, expires_at, created_at)
      SELECT c.request_id, c.function_id, c.team_id, c.project_id, c.qualifier, c.source, c.trigger_id, c.dedupe_key,
        c.payload_sha256, c.order_key, c.order_no, c.depth, c.caller, c.payload, 'WAIT', coalesce(s.max_retry, $3), $2,
        $2::bigint + coalesce(s.max_age_sec, $4)::bigint * 1000, $2
      FROM jsonb_to_recordset($1::jsonb) AS c(request_id bigint, function_id bigint, team_id bigint, project_id bigint,
        qualifier text, source text, trigger_id bigint, dedupe_key text, payload_sha256 text, order_key text,
        order_no bigint, depth int, caller jsonb, payload text)
      LEFT JOIN fn_async_settings s ON s.function_id = c.function_id AND s.qualifier = c.qualifier
      ON CONFLICT (function_id, dedupe_key) DO NOTHING RETURNING request_id`,
    values: [JSON.stringify(rows), ctx.now(), usualSettings.maxRetry, usualSettings.maxAgeSec],
  })
  if (written.length > 0) ctx.signal(ctx.zone, queueChannel, '')
  return written.map(row => row.request_id)
}

/**
 * A call that an app or a person makes. The same key of the client's gives the same call; with another payload it is
 * refused, and so is what is too large or too much.
 */
export async function enqueueOne(
  ctx: Context,
  call: Omit<NewCall, 'dedupeKey' | 'payloadSha256'>,
  clientKey: string | undefined,
): Promise<string> {
  const bytes = Buffer.byteLength(call.payload)
  if (bytes > asyncLimits.payloadBytes)
    refuse(functionErrors.payloadTooLarge, { bytes, limit: asyncLimits.payloadBytes })
  await assertRoom(ctx, call.functionId)
  if (clientKey === undefined) return (await enqueue(ctx, [call]))[0] as string
  const payloadSha256 = createHash('sha256').update(`${call.qualifier}\n${call.payload}`).digest('hex')
  const dedupeKey = `client:${clientKey}`
  const [requestId] = await enqueue(ctx, [{ ...call, dedupeKey, payloadSha256 }])
  if (requestId !== undefined) return requestId
  const { rows } = await ctx.transaction(ctx.zone).query<{ request_id: string; payload_sha256: string }>({
    name: 'functions known call',
    text: 'SELECT request_id, payload_sha256 FROM fn_async WHERE function_id = $1 AND dedupe_key = $2',
    values: [call.functionId, dedupeKey],
  })
  const [known] = rows
  if (!known || known.payload_sha256 !== payloadSha256) refuse(commonErrors.idempotencyReused)
  return known.request_id
}

async function assertRoom(ctx: Context, functionId: string): Promise<void> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ waiting: number }>({
    name: 'functions waiting',
    text: `SELECT count(*)::int AS waiting FROM (
      SELECT 1 FROM fn_async WHERE function_id = $1 AND state = 'WAIT' LIMIT $2) AS first_ones`,
    values: [functionId, asyncLimits.waiting],
  })
  if ((rows[0]?.waiting ?? 0) >= asyncLimits.waiting) refuse(functionErrors.queueFull)
}

/** The client's own key of a request, as every other call takes it; refused where it cannot be one. */
export function clientKeyOf(sent: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const key = sent[headers.idempotencyKey] ?? sent[headers.idempotencyKeyAlias]
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,64}$/.test(key)) return key
  return refuse(commonErrors.badInput, {
    fields: [
      { in: 'header', pointer: '/idempotency-key', rule: 'pattern', message: '1 to 64 visible ASCII characters' },
    ],
  })
}
