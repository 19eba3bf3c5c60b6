import type { ZoneId } from '../../../kernel/zones.ts'
import { LazyTransaction } from '../../../server/database/transaction.ts'
import type { Server } from '../../../server/server.ts'
import { Together, type Waiting } from '../../../server/together.ts'
import type { KeptEvent } from './checking.ts'
import { liveEventsOf, livePayload } from './live/watching.ts'

export interface EventPlace {
  zone: ZoneId
  teamId: string
  projectId: string
}

interface Batch {
  key: string
  place: EventPlace
  receivedAt: number
  events: readonly KeptEvent[]
}

const writers = new WeakMap<Server, Map<string, Together<Batch, void>>>()

/** Resolves when the events are committed, together with those of others who came at the same time. Twice is once. */
export async function recordKept(server: Server, place: EventPlace, events: readonly KeptEvent[], receivedAt: number) {
  if (events.length === 0) return
  await writerOf(server, place).add({ key: server.ids.next(), place, receivedAt, events })
}

/** Of a team in a zone, as row-level security takes the rows of one team at a time. */
function writerOf(server: Server, { zone, teamId }: EventPlace): Together<Batch, void> {
  const all = writers.get(server) ?? new Map<string, Together<Batch, void>>()
  writers.set(server, all)
  const name = `${zone} ${teamId}`
  let writer = all.get(name)
  if (!writer) {
    writer = new Together<Batch, void>({
      keyOf: one => one.key,
      act: group => write(server, { zone, teamId }, group),
      isIdle: () => all.delete(name),
    })
    all.set(name, writer)
  }
  return writer
}

async function write(
  server: Server,
  { zone, teamId }: Omit<EventPlace, 'projectId'>,
  group: readonly Waiting<Batch, void>[],
): Promise<void> {
  const transaction = new LazyTransaction(server.pools.of(zone), { team: teamId })
  const rows = group.flatMap(({ one }) =>
    one.events.map(event => ({ ...event, project_id: one.place.projectId, received_at: one.receivedAt })),
  )
  const live = liveEventsOf(server)
  const told = group
    .filter(({ one }) => live.isWatched(zone, one.place.projectId))
    .map(({ one }) => livePayload(live, one.place.projectId, one.events, one.receivedAt))
  try {
    await transaction.commit([
      {
        name: 'app events record',
        // In the order of the key, so that two that share events do not wait for each other crosswise.
        text: `INSERT INTO app_event_buffer (project_id, event_id, team_id, received_at, name, unit, at, value, experiment, variant, props)
          SELECT DISTINCT ON (project_id, event_id) project_id, event_id, $2::bigint, received_at, name, unit, at, value, experiment, variant, props
          FROM json_to_recordset($1::json) AS one (project_id bigint, event_id bigint, received_at bigint, name text, unit text,
            at bigint, value double precision, experiment text, variant text, props text)
          ORDER BY project_id, event_id
          ON CONFLICT (project_id, event_id) DO NOTHING`,
        values: [JSON.stringify(rows), teamId],
      },
      ...(told.length === 0
        ? []
        : [{ text: 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload', values: [live.channel, told] }]),
    ])
  } catch (error) {
    await transaction.rollback().catch(() => undefined)
    throw error
  }
  for (const waits of group) waits.resolve()
}
