import { and, count, desc, eq, gte, ilike, lt, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import type { Delivery, Endpoint } from './contract.ts'
import { type DeliveryState, type EndpointState, endpointLifeCycle } from './rules.ts'
import { deliveries, endpoints } from './tables.ts'

export type EndpointRow = typeof endpoints.$inferSelect
export type DeliveryRow = typeof deliveries.$inferSelect

export function toEndpoint(ctx: Context, row: EndpointRow): Static<typeof Endpoint> {
  const hasOld = row.oldSecret !== null && (row.oldSecretUntil ?? 0) > ctx.now()
  return {
    ...row,
    oldSecretUntil: hasOld ? row.oldSecretUntil : null,
    allowedActions: allowedActions(endpointLifeCycle, row.state, permission => ctx.may(permission)),
  }
}

export function toDelivery(row: DeliveryRow): Static<typeof Delivery> {
  return row
}

/** A webhook of the caller's team and within his scope. Refuses 404. */
export async function endpointOf(ctx: Context, endpointId: string, lock?: 'update'): Promise<EndpointRow> {
  const query = ctx.db
    .select()
    .from(endpoints)
    .where(and(eq(endpoints.endpointId, endpointId), eq(endpoints.teamId, ctx.teamId)))
  const [row] = await (lock ? query.for('no key update') : query)
  if (!row || !isWithinScope(ctx, row)) refuse(commonErrors.notFound, { entity: 'webhook', id: endpointId })
  return row
}

/** A webhook of a project is within the scope of who reaches the project; one of the team only of who reaches all. */
function isWithinScope(ctx: Context, { projectId }: EndpointRow): boolean {
  const scope = ctx.memberScope
  return scope === 'all' || (projectId !== null && scope.projects.has(projectId))
}

/** A delivery of a webhook the caller may see. Refuses 404. */
export async function deliveryOf(ctx: Context, deliveryId: string): Promise<DeliveryRow> {
  const [row] = await ctx.db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.deliveryId, deliveryId), eq(deliveries.teamId, ctx.teamId)))
  if (!row) refuse(commonErrors.notFound, { entity: 'delivery', id: deliveryId })
  await endpointOf(ctx, row.endpointId)
  return row
}

interface Page {
  cursor?: string
  pageSize?: number
}

export async function listEndpoints(
  ctx: Context,
  query: Page & { search?: string; state?: EndpointState; projectId?: string },
) {
  const matching = and(
    eq(endpoints.teamId, ctx.teamId),
    ctx.withinScope({ projectId: endpoints.projectId }),
    query.state ? eq(endpoints.state, query.state) : undefined,
    query.projectId ? eq(endpoints.projectId, query.projectId) : undefined,
    query.search ? ilike(endpoints.name, `%${query.search.replace(/[\\%_]/g, '\\$&')}%`) : undefined,
  )
  const size = query.pageSize ?? 20
  const rows = await ctx.db
    .select()
    .from(endpoints)
    .where(and(matching, before(endpoints.endpointId, query.cursor)))
    .orderBy(desc(endpoints.endpointId))
    .limit(size + 1)
  const list = rows.slice(0, size).map(row => toEndpoint(ctx, row))
  const total = await ctx.db.$count(endpoints, matching)
  return { total, list, nextCursor: rows.length > size ? (list.at(-1)?.endpointId ?? null) : null }
}

export async function listDeliveries(
  ctx: Context,
  endpointId: string,
  query: Page & { state?: DeliveryState; type?: string; since?: number },
) {
  const matching = and(
    eq(deliveries.teamId, ctx.teamId),
    eq(deliveries.endpointId, endpointId),
    query.state ? eq(deliveries.state, query.state) : undefined,
    query.type ? eq(deliveries.type, query.type) : undefined,
    query.since === undefined ? undefined : gte(deliveries.createdAt, query.since),
  )
  const size = query.pageSize ?? 20
  const rows = await ctx.db
    .select()
    .from(deliveries)
    .where(and(matching, before(deliveries.deliveryId, query.cursor)))
    .orderBy(desc(deliveries.deliveryId))
    .limit(size + 1)
  const [counted] = await ctx.db.select({ total: count() }).from(deliveries).where(matching)
  const list = rows.slice(0, size).map(toDelivery)
  return {
    total: counted?.total ?? 0,
    list,
    nextCursor: rows.length > size ? (list.at(-1)?.deliveryId ?? null) : null,
  }
}

function before(
  column: typeof endpoints.endpointId | typeof deliveries.deliveryId,
  cursor: string | undefined,
): SQL | undefined {
  return cursor !== undefined && /^[0-9]{1,19}$/.test(cursor) ? lt(column, cursor) : undefined
}

/** Tries of an endpoint by UTC day, also days without any. */
export async function statisticsOf(ctx: Context, endpointId: string, days: number) {
  const today = Math.floor(ctx.now() / 86_400_000)
  const { rows } = await ctx.transaction(ctx.zone).query<{
    day: number
    accepted: number
    refused: number
    median_ms: number | null
  }>({
    name: 'webhook statistics',
    text: `SELECT (at / 86400000)::int AS day, count(*) FILTER (WHERE is_accepted)::int AS accepted,
        count(*) FILTER (WHERE NOT is_accepted)::int AS refused,
        round(percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms))::int AS median_ms
      FROM webhook_tries WHERE team_id = $1 AND endpoint_id = $2 AND at >= $3 GROUP BY 1`,
    values: [ctx.teamId, endpointId, (today - days + 1) * 86_400_000],
  })
  const known = new Map(rows.map(row => [row.day, row]))
  return Array.from({ length: days }, (_none, at) => {
    const day = today - days + 1 + at
    const row = known.get(day)
    return {
      day: new Date(day * 86_400_000).toISOString().slice(0, 10),
      accepted: row?.accepted ?? 0,
      refused: row?.refused ?? 0,
      medianMs: row?.median_ms ?? null,
    }
  })
}
