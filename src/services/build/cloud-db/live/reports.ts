import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import type { Group } from './group.ts'
import { tellerOf } from './tell.ts'

/** Frames of a project that this process sent, and how often everything was sent anew. */
export interface Counts {
  sent: number
  resyncs: number
}

/** Who listens to a project on this process. */
export interface Reported {
  projectId: string
  teamId: string
  zone: ZoneId
  connections: Set<object>
  groups: Set<Group>
  subscriptions: number
  counts: Counts
}

const mostGroups = 200

/** Says who listens here, for the live view of all processes. */
export async function writeReports(server: Server, reports: readonly Reported[]): Promise<void> {
  const { name } = tellerOf(server)
  for (const { projectId, teamId, zone, connections, groups, subscriptions, counts } of reports) {
    const told = [...groups].slice(0, mostGroups).map(group => ({
      zone: group.place.dataZone.name,
      type: group.place.type.name,
      conditions: group.conditions,
      sees: group.sight.sees,
      subscribers: group.subscribers.size,
      sent: group.sent,
    }))
    const numbers = [connections.size, subscriptions, JSON.stringify(told), counts.sent, counts.resyncs]
    await systemContext(server, zone, { name: 'cloud-db listeners', scope: 'all' }).transact(ctx =>
      ctx.transaction(zone).query({
        name: 'clouddb report',
        text: `INSERT INTO cdb_listeners (process_name, project_id, team_id, connections, subscriptions, groups, sent, resyncs, at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
          ON CONFLICT (process_name, project_id) DO UPDATE SET connections = excluded.connections,
            subscriptions = excluded.subscriptions, groups = excluded.groups, sent = excluded.sent,
            resyncs = excluded.resyncs, at = excluded.at`,
        values: [name, projectId, teamId, ...numbers, server.clock.now()],
      }),
    )
  }
}

interface GroupRow {
  zone: string
  type: string
  conditions: number
  sees: string
  subscribers: number
  sent: number
}

/** A process that said nothing for so long has ended. */
const staleMs = 20_000

/** Who listens to a project over all processes; equal groups of several processes are one. */
export async function listenersOf(ctx: Context, projectId: string) {
  const { rows } = await ctx.transaction(ctx.zone).query<{
    connections: number
    subscriptions: number
    sent: string
    resyncs: string
    groups: GroupRow[]
  }>({
    name: 'clouddb listeners',
    text: `SELECT connections, subscriptions, sent, resyncs, groups FROM cdb_listeners
      WHERE project_id = $1 AND team_id = $2 AND at > $3 ORDER BY process_name`,
    values: [projectId, ctx.teamId, ctx.now() - staleMs],
  })
  const groups = new Map<string, GroupRow>()
  for (const group of rows.flatMap(row => row.groups)) {
    const key = JSON.stringify([group.zone, group.type, group.conditions, group.sees])
    const known = groups.get(key)
    if (!known) groups.set(key, { ...group })
    else {
      known.subscribers += group.subscribers
      known.sent += group.sent
    }
  }
  const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)
  return {
    connections: sum(rows.map(row => row.connections)),
    subscriptions: sum(rows.map(row => row.subscriptions)),
    sent: sum(rows.map(row => Number(row.sent))),
    resyncs: sum(rows.map(row => Number(row.resyncs))),
    groups: [...groups.values()].sort((a, b) => b.subscribers - a.subscribers).slice(0, mostGroups),
  }
}
