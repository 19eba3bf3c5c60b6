import type { Input } from '../../../kernel/contract.ts'
import type { Context } from '../../../server/context.ts'
import type { collect } from './contract.ts'
import { type breakdowns, dayMs, dayOf, limits, type nameSorts, otherName } from './rules.ts'

export type NamesWish = Input<(typeof collect.calls)['listTeamNames']>['query']
type Asked = Input<(typeof collect.calls)['listUseDays']>['query']
type By = (typeof breakdowns)[number]

interface Counted {
  views: string
  clicks: string
  visitors: string
}

const columns: Readonly<Record<By, string>> = {
  page: 'page',
  action: 'action',
  language: 'language',
  face: 'face',
  serviceItem: 'service_item',
  sourceChannel: 'source_channel',
}

/** What the most used are found by. */
const rankOf = (by: By) => (by === 'page' ? 'views' : by === 'action' ? 'clicks' : 'events')

/** What a question is about. Late events are out: the days they belong to have been read already. */
const meant = `day >= $1 AND day <= $2 AND NOT is_late AND ($3::text IS NULL OR language = $3)
  AND ($4::text IS NULL OR face = $4) AND ($5::boolean OR NOT is_bot) AND ($6::bigint IS NULL OR team_id = $6)`
const counts = `count(*) FILTER (WHERE name = 'page') AS views, count(*) FILTER (WHERE name = 'click') AS clicks,
  count(DISTINCT person) AS visitors`

function valuesOf(ctx: Context, asked: Asked, teamId: string | null): unknown[] {
  const today = dayOf(ctx.now())
  const first = asked.day ?? dayOf(ctx.now() - ((asked.days ?? 30) - 1) * dayMs)
  const { language = null, face = null, withBots = false } = asked
  return [first, asked.day ?? today, language, face, withBots, teamId]
}

const numbersOf = ({ views, clicks, visitors }: Counted) => ({
  views: Number(views),
  clicks: Number(clicks),
  visitors: Number(visitors),
})

/** Use by day and altogether; of all teams where none is named, and then the scope of rows must be `all`. */
export async function useByDay(ctx: Context, asked: Asked, teamId: string | null) {
  const { rows } = await ctx.transaction(ctx.zone).query<Counted & { day: string | null; has_daily: boolean }>({
    name: 'collect days',
    text: `SELECT day, ${counts}, coalesce(bool_or(is_daily_person), false) AS has_daily FROM collect_events WHERE ${meant}
      GROUP BY GROUPING SETS ((day), ()) ORDER BY day`,
    values: valuesOf(ctx, asked, teamId),
  })
  const all = rows.find(row => row.day === null)
  const none = { views: 0, clicks: 0, visitors: 0 }
  return {
    ...(all ? numbersOf(all) : none),
    hasDailyPeople: all?.has_daily ?? false,
    list: rows.flatMap(row => (row.day === null ? [] : [{ day: row.day, ...numbersOf(row) }])),
  }
}

/** Use by one part of what is known, the most used first. */
export async function useByPart(ctx: Context, { by, ...asked }: Asked & { by: By }, teamId: string | null) {
  const { rows } = await ctx.transaction(ctx.zone).query<Counted & { key: string; parts: string; others: string }>({
    name: `collect shares ${by}`,
    text: `WITH parts AS (
        SELECT ${columns[by]} AS key, ${counts}, count(*) AS events FROM collect_events
        WHERE ${meant} AND ${columns[by]} IS NOT NULL GROUP BY 1),
      ranked AS (SELECT *, row_number() OVER (ORDER BY ${rankOf(by)} DESC, events DESC, key) AS place FROM parts)
      SELECT key, views, clicks, visitors, count(*) OVER () AS parts,
        (SELECT coalesce(sum(events), 0) FROM ranked WHERE place > $7) AS others
      FROM ranked ORDER BY place LIMIT $7`,
    values: [...valuesOf(ctx, asked, teamId), limits.shares],
  })
  const others = Number(rows[0]?.others ?? 0)
  const list = rows.map(({ key, ...row }) => ({ key, ...numbersOf(row) }))
  return { total: list.reduce((sum, row) => sum + row.views + row.clicks, others), list, other: others || null }
}

const nameOrders: Readonly<Record<(typeof nameSorts)[number], (kind: NamesWish['kind']) => string>> = {
  events: kind => (kind === 'page' ? 'views' : 'clicks'),
  visitors: () => 'visitors',
  name: () => 'key',
}

/** What the team's people opened or pressed, each name a row; all that had no place of its own comes last. */
export async function rankedNames(ctx: Context, { kind, ...wish }: NamesWish) {
  const { pageSize = 20, search = '', sort = 'events' } = wish
  const order = wish.order ?? (sort === 'name' ? 'asc' : 'desc')
  const before = Number(/^\d{1,6}$/.exec(wish.cursor ?? '')?.[0] ?? 0)
  const like = search === '' ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await ctx.transaction(ctx.zone).query<Counted & { key: string | null; total: string }>({
    name: `collect names ${kind} ${sort} ${order}`,
    text: `WITH parts AS (
        SELECT ${columns[kind]} AS key, ${counts} FROM collect_events
        WHERE ${meant} AND ${columns[kind]} IS NOT NULL AND ($7::text IS NULL OR ${columns[kind]} ILIKE $7) GROUP BY 1),
      ranked AS (SELECT *, row_number() OVER (
        ORDER BY key = '${otherName}', ${nameOrders[sort](kind)} ${order}, key) AS place FROM parts)
      SELECT whole.total, key, views, clicks, visitors
      FROM (SELECT count(*) AS total FROM parts) whole LEFT JOIN ranked ON place > $8 AND place <= $9 ORDER BY place`,
    values: [...valuesOf(ctx, wish, ctx.teamId), like, before, before + pageSize],
  })
  const total = Number(rows[0]?.total ?? 0)
  const list = rows.flatMap(({ key, ...row }) =>
    key === null ? [] : [{ name: key, isOther: key === otherName, ...numbersOf(row) }],
  )
  const after = before + list.length
  return { total, list, nextCursor: list.length > 0 && after < total ? String(after) : null }
}

/** How many people saw the first page, then the second one, and so on, in this order. The earliest way of each person counts. */
export async function funnelOf(ctx: Context, { steps, ...asked }: Asked & { steps: string[] }) {
  const parts = steps.map((_page, at) => {
    const seen = `name = 'page' AND page = $${7 + at} AND ${meant}`
    return at === 0
      ? `step0 AS (SELECT person, min(at) AS at FROM collect_events WHERE ${seen} GROUP BY person)`
      : `step${at} AS (SELECT person, min(e.at) AS at FROM collect_events e JOIN step${at - 1} before USING (person)
          WHERE e.at > before.at AND ${seen} GROUP BY person)`
  })
  const sums = steps.map((_page, at) => `(SELECT count(*) FROM step${at}) AS step${at}`)
  const { rows } = await ctx.transaction(ctx.zone).query<Record<string, string>>({
    name: `collect funnel ${steps.length}`,
    text: `WITH ${parts.join(', ')} SELECT ${sums.join(', ')}`,
    values: [...valuesOf(ctx, asked, null), ...steps],
  })
  return { list: steps.map((page, at) => ({ page, visitors: Number(rows[0]?.[`step${at}`] ?? 0) })) }
}
