import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { dayOf, limits, type NameKind, otherName } from './rules.ts'

/** Who proves no team shares one list of names with all who do not. */
const nobody = '0'
const mostTeams = 5_000

interface Named {
  kind: NameKind
  name: string
}

interface Today {
  day: string
  names: Set<string>
}

/** Of each zone and team the names that were reported today: what is in it costs no query. */
const known = new WeakMap<Server, Map<string, Today>>()

const keyOf = ({ kind, name }: Named) => `${kind} ${name}`

/**
 * What the names of a batch are counted as: a zone keeps so many pages and so many buttons of a team, and what is new
 * beyond them is `other`. `remember` once the transaction is committed.
 */
export async function boundedNames(ctx: Context, teamId: string | null, given: readonly Named[]) {
  const day = dayOf(ctx.now())
  const owner = teamId ?? nobody
  const today = todayOf(ctx, owner, day)
  const wanted = new Map(given.filter(one => one.name !== otherName).map(one => [keyOf(one), one]))
  for (const key of today.names) wanted.delete(key)
  const kept = wanted.size === 0 ? [] : await keep(ctx, owner, [...wanted.values()], day)
  const isKept = new Set(kept.map(keyOf))
  return {
    nameOf: (kind: NameKind, name: string) => {
      const key = keyOf({ kind, name })
      return today.names.has(key) || isKept.has(key) ? name : otherName
    },
    remember: () => {
      for (const key of isKept) today.names.add(key)
    },
  }
}

function todayOf(ctx: Context, owner: string, day: string): Today {
  const teams = known.get(ctx.server) ?? new Map<string, Today>()
  known.set(ctx.server, teams)
  const place = `${ctx.zone} ${owner}`
  const found = teams.get(place)
  if (found?.day === day) return found
  if (teams.size >= mostTeams) teams.clear()
  const today = { day, names: new Set<string>() }
  teams.set(place, today)
  return today
}

/** Those of the names that have a place, one batch of a team after the other. */
async function keep(ctx: Context, owner: string, wanted: readonly Named[], day: string): Promise<Named[]> {
  const transaction = ctx.transaction(ctx.zone)
  await transaction.query({
    name: 'collect names in turns',
    text: `SELECT pg_advisory_xact_lock(116, hashtext($1))`,
    values: [owner],
  })
  const { rows } = await transaction.query<Named>({
    name: 'collect names of team',
    text: 'SELECT kind, name FROM collect_names WHERE team_id = $1',
    values: [owner],
  })
  const there = new Set(rows.map(keyOf))
  const free = { page: limits.namesOfKind, action: limits.namesOfKind }
  for (const { kind } of rows) free[kind]--
  const kept = wanted.filter(one => there.has(keyOf(one)) || free[one.kind]-- > 0)
  await transaction.query({
    name: 'collect keep names',
    text: `INSERT INTO collect_names (team_id, kind, name, last_day)
      SELECT $1, kind, name, $4 FROM unnest($2::text[], $3::text[]) AS one (kind, name)
      ON CONFLICT (team_id, kind, name) DO UPDATE SET last_day = excluded.last_day`,
    values: [owner, kept.map(one => one.kind), kept.map(one => one.name), day],
  })
  return kept
}

/** How many names a team has taken. */
export async function namesTaken(ctx: Context, kind: NameKind): Promise<number> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ taken: string }>({
    name: 'collect names taken',
    text: 'SELECT count(*) AS taken FROM collect_names WHERE team_id = $1 AND kind = $2',
    values: [ctx.teamId, kind],
  })
  return Number(rows[0]?.taken ?? 0)
}
