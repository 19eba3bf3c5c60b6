import type { Context } from '../../../../server/context.ts'

interface Group {
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
    groups: Group[]
  }>({
    name: 'clouddb listeners',
    text: `SELECT connections, subscriptions, sent, resyncs, groups FROM cdb_listeners
      WHERE project_id = $1 AND team_id = $2 AND at > $3 ORDER BY process_name`,
    values: [projectId, ctx.teamId, ctx.now() - staleMs],
  })
  const groups = new Map<string, Group>()
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
    groups: [...groups.values()].sort((a, b) => b.subscribers - a.subscribers).slice(0, 200),
  }
}
