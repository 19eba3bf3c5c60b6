import { type Context, systemContext } from '../../../server/context.ts'
import type { DatabaseName } from '../../../server/database/pools.ts'
import type { Event } from '../../../server/work.ts'

/** Events that tell of what a scope can name. */
export const thingEvents = [
  'project.created',
  'project.updated',
  'project.deleted',
  'app.created',
  'app.updated',
  'app.deleted',
] as const

/** Keeps the list of projects and apps. Telling an event again, or an end before its beginning, changes nothing. */
export async function keepThing(ctx: Context, event: Event): Promise<void> {
  if (event.teamId === null) return
  const [kind, verb] = event.type.split('.')
  const { name, projectId, zone } = event.data
  // In a transaction of its own: home is written before the receipt, which stands in the zone.
  await ctx.transact(inner =>
    inner.transaction('home').query(
      `INSERT INTO scope_things (thing_id, team_id, kind, project_id, name, zone, has_ended)
        VALUES ($1, $2, $3, $4, coalesce($5, ''), $6, $7)
        ON CONFLICT (thing_id) DO UPDATE SET name = coalesce($5, scope_things.name),
          project_id = coalesce(excluded.project_id, scope_things.project_id),
          has_ended = scope_things.has_ended OR excluded.has_ended`,
      [
        event.entityId,
        event.teamId,
        kind,
        typeof projectId === 'string' ? projectId : null,
        typeof name === 'string' ? name : null,
        typeof zone === 'string' ? zone : ctx.zone,
        verb === 'deleted',
      ],
    ),
  )
}

/** Databases whose events of before this list was kept are in it; a process looks until it finds none. */
const caughtUp = new WeakMap<object, Set<DatabaseName>>()

/** Takes in the events that were relayed before anybody listened here. */
export async function catchUp(ctx: Context, database: DatabaseName): Promise<void> {
  const done = caughtUp.get(ctx.server) ?? new Set()
  caughtUp.set(ctx.server, done)
  if (done.has(database)) return
  const { rows } = await ctx.transaction(database).query<MissedRow>({
    text: `SELECT event_id, type, team_id, entity, entity_id, actor, data, at FROM outbox o
      WHERE type = ANY ($1) AND relayed_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM event_receipts r
        WHERE r.listener = 'teams.things' AND r.event_id = o.event_id) ORDER BY event_id LIMIT 500`,
    values: [thingEvents],
  })
  for (const row of rows) {
    const { event_id: eventId, team_id: teamId, entity_id: entityId, at, ...rest } = row
    const zone = database === 'home' ? ctx.zone : database
    const system = systemContext(ctx.server, zone, { name: 'teams.things', scope: 'all' })
    await keepThing(system, { ...rest, eventId, teamId, entityId, at: Number(at) })
    await ctx.transaction(database).query({
      text: 'INSERT INTO event_receipts (listener, event_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      values: ['teams.things', eventId, ctx.now()],
    })
  }
  if (rows.length === 0) done.add(database)
}

interface MissedRow {
  event_id: string
  type: string
  team_id: string | null
  entity: string
  entity_id: string
  actor: string
  data: Record<string, unknown>
  at: string
}
