import { type ZoneId, zoneOfCode } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import type { Event, Listener } from '../../../server/work.ts'
import { isEventType, payloadOf } from './event-types.ts'
import { startSending } from './sending.ts'

/** Events of the home database; webhooks of the team may be in any zone. */
const ofHome = /^(project|team)\./

/** Every event a team may hear of becomes a row for each webhook that wants it. */
export const events: Listener = {
  name: 'webhooks.events',
  on: ['project.*', 'app.*', 'package.*', 'version.*', 'team.*'],
  run: async (ctx, event) => {
    if (event.type === 'app.created') await rememberApp(ctx, event)
    const teamId = event.teamId ?? textOf(event.data['teamId'])
    if (teamId === null || !isEventType(event.type)) return
    for (const zone of zonesOf(ctx, event)) await writeDeliveries(ctx, zone, { ...event, teamId })
  },
}

function zonesOf(ctx: Context, event: Event): readonly ZoneId[] {
  if (!ofHome.test(event.type)) return [ctx.zone]
  const { zones } = ctx.server.config
  const code = event.entity === 'project' ? textOf(event.data['zone']) : null
  return code === null ? zones : zones.filter(zone => zone === zoneOfCode(code))
}

async function writeDeliveries(ctx: Context, zone: ZoneId, event: Event & { teamId: string }): Promise<void> {
  const transaction = ctx.transaction(zone)
  const { rows: wanting } = await transaction.query<{
    endpoint_id: string
    project_id: string | null
    is_failing: boolean
  }>({
    name: 'webhooks wanting',
    text: `SELECT endpoint_id, project_id, failing_since IS NOT NULL AS is_failing FROM webhook_endpoints
      WHERE team_id = $1 AND state = 'ENABLED' AND created_at <= $3 AND (event_types = '{}' OR $2 = ANY (event_types))`,
    values: [event.teamId, event.type, event.at],
  })
  if (wanting.length === 0) return
  const projectId = wanting.some(one => one.project_id !== null) ? await projectOfEvent(ctx, zone, event) : null
  const meant = wanting.filter(one => one.project_id === null || one.project_id === projectId)
  if (meant.length === 0) return
  // One that fails takes its turns from the sweep, so that it does not hold up the others.
  const rows = meant.map(one => ({
    delivery_id: ctx.newId(),
    endpoint_id: one.endpoint_id,
    state: one.is_failing ? 'WAITING' : 'QUEUED',
  }))
  const { rows: made } = await transaction.query<{ delivery_id: string; state: string }>({
    name: 'webhooks deliveries',
    text: `INSERT INTO webhook_deliveries (delivery_id, endpoint_id, state, next_try_at, team_id, event_id, type, body, tries, created_at)
      SELECT delivery_id, endpoint_id, state, CASE WHEN state = 'WAITING' THEN $6::bigint END, $2, $3, $4, $5, 0, $6
      FROM jsonb_to_recordset($1::jsonb) AS row(delivery_id bigint, endpoint_id bigint, state text)
      ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING delivery_id, state`,
    values: [
      JSON.stringify(rows),
      event.teamId,
      event.eventId,
      event.type,
      JSON.stringify(payloadOf({ ...event, zone })),
      ctx.now(),
    ],
  })
  for (const one of made) {
    if (one.state === 'QUEUED') startSending(ctx, zone, { deliveryId: one.delivery_id, teamId: event.teamId })
  }
}

async function rememberApp(ctx: Context, event: Event): Promise<void> {
  const projectId = textOf(event.data['projectId'])
  if (projectId === null || event.teamId === null) return
  await ctx.transaction(ctx.zone).query({
    name: 'webhooks app',
    text: `INSERT INTO webhook_apps (app_id, team_id, project_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    values: [event.entityId, event.teamId, projectId],
  })
}

async function projectOfEvent(ctx: Context, zone: ZoneId, event: Event): Promise<string | null> {
  if (event.entity === 'project') return event.entityId
  const named = textOf(event.data['projectId'])
  if (named !== null) return named
  const appId = event.entity === 'app' ? event.entityId : textOf(event.data['appId'])
  if (appId === null) return null
  const { rows } = await ctx.transaction(zone).query<{ project_id: string }>({
    name: 'webhooks project of app',
    text: 'SELECT project_id FROM webhook_apps WHERE app_id = $1',
    values: [appId],
  })
  return rows[0]?.project_id ?? null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
