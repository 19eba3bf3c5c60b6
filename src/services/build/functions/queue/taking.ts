import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import type { HeldCall } from './held-call.ts'
import { asyncLimits } from './rules.ts'

const columns = (alias: string) =>
  `${alias}.request_id AS "requestId", ${alias}.function_id AS "functionId", ${alias}.team_id AS "teamId",
  ${alias}.project_id AS "projectId", ${alias}.qualifier, ${alias}.source, ${alias}.trigger_id AS "triggerId", ${alias}.depth,
  ${alias}.caller, ${alias}.payload, ${alias}.attempt, ${alias}.max_retry AS "maxRetry", ${alias}.expires_at AS "expiresAt",
  ${alias}.created_at AS "createdAt"`

const toHeld = (row: HeldCall): HeldCall => ({
  ...row,
  expiresAt: Number(row.expiresAt),
  createdAt: Number(row.createdAt),
})

export const asQueue = (server: Server, zone: ZoneId): Context =>
  systemContext(server, zone, { name: 'functions.queue', scope: 'all' })

/**
 * Takes calls that are due, the functions in turns so that none holds up the others, with the attempt written down before
 * anything runs. Whoever of a key waits behind an earlier one is left, and so is what is of a function that is switched off.
 *
 * @param running how many calls of each function run here already
 */
export async function takeCalls(
  server: Server,
  zone: ZoneId,
  owner: string,
  free: number,
  running: Readonly<Record<string, number>>,
): Promise<(HeldCall & { isRepeat: boolean })[]> {
  const now = server.clock.now()
  const taken = await asQueue(server, zone).transact(async ctx => {
    const run = ctx.transaction(zone)
    const { rows: found } = await run.query<{ request_id: string }>({
      name: 'functions due',
      text: `WITH RECURSIVE ready AS (
          (SELECT function_id FROM fn_async WHERE state = 'WAIT' ORDER BY function_id LIMIT 1)
          UNION ALL
          SELECT (SELECT a.function_id FROM fn_async a WHERE a.state = 'WAIT' AND a.function_id > r.function_id
            ORDER BY a.function_id LIMIT 1) FROM ready r WHERE r.function_id IS NOT NULL)
        SELECT due.request_id FROM ready r JOIN fn_functions f ON f.function_id = r.function_id AND f.is_enabled,
        LATERAL (SELECT c.request_id, c.available_at FROM fn_async c
          WHERE c.function_id = r.function_id AND c.state = 'WAIT' AND c.available_at <= $1 AND c.expires_at > $1
            AND (c.order_key IS NULL OR NOT EXISTS (SELECT 1 FROM fn_async e WHERE e.order_key = c.order_key
              AND e.state IN ('WAIT', 'RUNNING') AND e.order_no < c.order_no))
          ORDER BY c.available_at, c.request_id
          LIMIT greatest(0, $3::int - coalesce(($4::jsonb ->> r.function_id::text)::int, 0)) FOR UPDATE SKIP LOCKED) AS due
        ORDER BY due.available_at, due.request_id LIMIT $2`,
      values: [now, free, asyncLimits.handsOfFunction, JSON.stringify(running)],
    })
    if (found.length === 0) return []
    const { rows } = await run.query<HeldCall & { isRepeat: boolean }>({
      name: 'functions take',
      text: `WITH taken AS (
        UPDATE fn_async c SET state = 'RUNNING', attempt = attempt + 1, owner = $2, lease_until = $3,
          started_at = coalesce(started_at, $4)
        WHERE c.request_id = ANY($1::bigint[]) RETURNING c.*),
      noted AS (
        INSERT INTO fn_async_attempts (request_id, attempt, function_id, team_id, is_repeat, started_at)
        SELECT t.request_id, t.attempt, t.function_id, t.team_id, EXISTS (SELECT 1 FROM fn_async_attempts a
          WHERE a.request_id = t.request_id AND (a.outcome IS NULL OR a.outcome NOT IN ('REFUSED', 'THROTTLED'))), $4 FROM taken t
        RETURNING request_id, is_repeat)
      SELECT ${columns('t')}, n.is_repeat AS "isRepeat" FROM taken t JOIN noted n USING (request_id) ORDER BY t.request_id`,
      values: [found.map(row => row.request_id), owner, now + asyncLimits.leaseMs, now],
    })
    return rows
  })
  return taken.map(row => ({ ...toHeld(row), isRepeat: row.isRepeat }))
}

/** Keeps what this process runs; answers what is still its own. */
export async function renewLeases(server: Server, zone: ZoneId, owner: string): Promise<Set<string>> {
  const { rows } = await asQueue(server, zone).transact(ctx =>
    ctx.transaction(zone).query<{ request_id: string }>({
      name: 'functions renew',
      text: `UPDATE fn_async SET lease_until = $2 WHERE state = 'RUNNING' AND owner = $1 RETURNING request_id`,
      values: [owner, server.clock.now() + asyncLimits.leaseMs],
    }),
  )
  return new Set(rows.map(row => row.request_id))
}

/** Calls whose process is gone, held for who ends their attempt. */
export function lostCalls(ctx: Context): Promise<HeldCall[]> {
  return held(ctx, 'functions lost', `c.state = 'RUNNING' AND c.lease_until < $1`)
}

/** Calls that have waited too long. */
export function overdueCalls(ctx: Context): Promise<HeldCall[]> {
  return held(ctx, 'functions overdue', `c.state = 'WAIT' AND c.expires_at <= $1`)
}

async function held(ctx: Context, name: string, condition: string): Promise<HeldCall[]> {
  const { rows } = await ctx.transaction(ctx.zone).query<HeldCall & Record<string, unknown>>({
    name,
    text: `SELECT ${columns('c')} FROM fn_async c WHERE ${condition} ORDER BY c.request_id LIMIT 100 FOR UPDATE SKIP LOCKED`,
    values: [ctx.now()],
  })
  return rows.map(toHeld)
}

/** Whether something is due, whoever may take it. */
export async function hasDue(ctx: Context): Promise<boolean> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ due: boolean }>({
    name: 'functions has due',
    text: `SELECT EXISTS (SELECT 1 FROM fn_async WHERE state = 'WAIT' AND available_at <= $1) AS due`,
    values: [ctx.now()],
  })
  return rows[0]?.due === true
}
