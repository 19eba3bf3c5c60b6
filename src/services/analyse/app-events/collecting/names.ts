import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import type { EventPlace } from '../recording.ts'
import { dayMs, exposureName, limits } from '../rules.ts'

/** So long nobody asks again whether there is room for one more name. */
const fullForMs = 60_000
const mostProjects = 10_000

interface Names {
  /** By name, the day on which it was last written down. */
  days: Map<string, number>
  fullUntil: number
}

const known = new WeakMap<Server, Map<string, Names>>()

function namesOf(server: Server, { zone, projectId }: EventPlace): Names {
  const projects = known.get(server) ?? new Map<string, Names>()
  known.set(server, projects)
  const key = `${zone} ${projectId}`
  const found = projects.get(key)
  if (found) return found
  if (projects.size >= mostProjects) projects.clear()
  const names = { days: new Map<string, number>(), fullUntil: 0 }
  projects.set(key, names)
  return names
}

/**
 * Which of the names of events a project may not have, as it has too many others. One that came today already is known
 * without a question. Exposures of experiments do not count.
 */
export async function namesTooMany(
  server: Server,
  place: EventPlace,
  wanted: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const now = server.clock.now()
  const today = Math.floor(now / dayMs)
  const names = namesOf(server, place)
  const asked = [...wanted].filter(name => name !== exposureName && names.days.get(name) !== today)
  const isFull = names.fullUntil > now
  const toAsk = isFull ? asked.filter(name => names.days.has(name)) : asked
  const refused = new Set(isFull ? asked.filter(name => !names.days.has(name)) : [])
  if (toAsk.length === 0) return refused
  const admitted = await admit(server, place, { asked: toAsk, today })
  for (const name of toAsk) {
    if (admitted.has(name)) names.days.set(name, today)
    else {
      names.days.delete(name)
      names.fullUntil = now + fullForMs
      refused.add(name)
    }
  }
  return refused
}

/** Writes down those that the project has, and new ones while there is room; answers both. */
async function admit(
  server: Server,
  { zone, teamId, projectId }: EventPlace,
  { asked, today }: { asked: readonly string[]; today: number },
): Promise<ReadonlySet<string>> {
  const ctx = systemContext(server, zone, { name: 'appEvents', teamId, scope: { team: teamId } })
  return ctx.transact(async inner => {
    const transaction = inner.transaction(zone)
    await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 441))', [projectId])
    const { rows } = await transaction.query<{ name: string }>({
      text: `WITH seen AS (
          UPDATE app_event_names SET last_day = $4 WHERE project_id = $1 AND name = ANY($3) RETURNING name),
        fresh AS (
          INSERT INTO app_event_names (project_id, name, team_id, last_day)
          SELECT $1, one.name, $2, $4 FROM unnest($3::text[]) AS one(name) WHERE one.name NOT IN (SELECT name FROM seen)
          LIMIT greatest(0, $5 - (SELECT count(*) FROM app_event_names WHERE project_id = $1)) RETURNING name)
        SELECT name FROM seen UNION ALL SELECT name FROM fresh`,
      values: [projectId, teamId, asked, today, limits.names],
    })
    return new Set(rows.map(({ name }) => name))
  })
}

/** Names that did not come for long make room for others. */
export async function forgetNames(ctx: Context): Promise<void> {
  await ctx.transact(inner =>
    inner.transaction(inner.zone).query({
      text: 'DELETE FROM app_event_names WHERE last_day < $1',
      values: [Math.floor(ctx.now() / dayMs) - limits.namesKeptDays],
    }),
  )
}
