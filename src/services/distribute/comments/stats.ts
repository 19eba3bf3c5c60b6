import type { Context } from '../../../server/context.ts'
import { type Histogram, mostStars, summed } from './rules.ts'

interface Row {
  kind: string
  key: string | null
  name: string | null
  histogram: number[]
}

const counts = [5, 4, 3, 2, 1].map(stars => `count(*) FILTER (WHERE stars = ${stars})::int`).join(', ')
const mostRows = 200

export interface Range {
  appId: string
  teamId: string
  from: number
  to: number
  isTest: boolean
}

/** What devices gave in a range, by day, version, country and language, in one pass; hidden and deleted ones are out. */
export async function statsOf(ctx: Context, { appId, teamId, from, to, isTest }: Range) {
  const { rows } = await ctx.transaction(ctx.zone).query<Row>({
    name: 'comment stats',
    text: `WITH given AS (
        SELECT stars, version_code, version_name, country, language,
          to_char(to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
        FROM comments WHERE app_id = $1 AND team_id = $2 AND is_test = $5 AND state IN ('VISIBLE', 'APPEALED')
          AND created_at >= $3 AND created_at < $4)
      SELECT 'day' AS kind, day AS key, NULL AS name, ARRAY[${counts}] AS histogram FROM given GROUP BY day
      UNION ALL SELECT 'version', version_code, max(version_name), ARRAY[${counts}] FROM given GROUP BY version_code
      UNION ALL SELECT 'country', country, NULL, ARRAY[${counts}] FROM given GROUP BY country
      UNION ALL SELECT 'language', language, NULL, ARRAY[${counts}] FROM given GROUP BY language`,
    values: [appId, teamId, from, to, isTest],
  })
  const of = (kind: string) =>
    rows
      .filter(row => row.kind === kind)
      .map(({ key, name, histogram }) => {
        const { count, average } = summed(histogram)
        return { key, name, count, average, histogram: histogram as Histogram }
      })
  const byCount = (kind: string) =>
    of(kind)
      .sort((a, b) => b.count - a.count || String(a.key).localeCompare(String(b.key)))
      .slice(0, mostRows)
  const days = of('day').sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1))
  return {
    ...ratingOf(days.map(day => day.histogram)),
    ...(await answeredOf(ctx, { appId, teamId, from, to, isTest })),
    days: days.map(({ key, name: _, ...rest }) => ({ day: String(key), ...rest })),
    versions: of('version')
      .sort((a, b) => compareCodes(String(b.key), String(a.key)))
      .slice(0, mostRows)
      .map(({ key, name, ...rest }) => ({ versionCode: String(key), versionName: name ?? '', ...rest })),
    countries: byCount('country').map(({ key, name: _, ...rest }) => ({ country: key, ...rest })),
    languages: byCount('language').map(({ key, name: _, ...rest }) => ({ language: key, ...rest })),
  }
}

const compareCodes = (one: string, other: string) => one.length - other.length || (one < other ? -1 : 1)

function ratingOf(histograms: readonly (readonly number[])[]) {
  const histogram = Array.from({ length: mostStars }, (_, at) =>
    histograms.reduce((sum, one) => sum + (one[at] ?? 0), 0),
  ) as Histogram
  return { ...summed(histogram), histogram }
}

/** How many of those with words have a reply, and after how long in the median. */
async function answeredOf(ctx: Context, { appId, teamId, from, to, isTest }: Range) {
  const { rows } = await ctx.transaction(ctx.zone).query<{ worded: number; replied: number; median: number | null }>({
    name: 'comment replies',
    text: `SELECT count(*)::int AS worded, count(replied_at)::int AS replied,
        round(percentile_cont(0.5) WITHIN GROUP (ORDER BY replied_at - created_at))::float8 AS median
      FROM comments WHERE app_id = $1 AND team_id = $2 AND is_test = $5 AND state IN ('VISIBLE', 'APPEALED')
        AND text <> '' AND created_at >= $3 AND created_at < $4`,
    values: [appId, teamId, from, to, isTest],
  })
  const { worded = 0, replied = 0, median = null } = rows[0] ?? {}
  return { withText: worded, replied, replyRate: worded === 0 ? null : replied / worded, medianReplyMs: median }
}

/** The stars of an app of all time, as everybody sees them. */
export async function ratingOfApp(ctx: Context, appId: string, isTest = false) {
  const { rows } = await ctx.transaction(ctx.zone).query<{ histogram: number[]; worded: number }>({
    name: 'comment rating',
    text: `SELECT ARRAY[${counts}] AS histogram, count(*) FILTER (WHERE text <> '')::int AS worded
      FROM comments WHERE app_id = $1 AND is_test = $2 AND state IN ('VISIBLE', 'APPEALED')`,
    values: [appId, isTest],
  })
  return { ...ratingOf(rows.map(row => row.histogram)), withText: rows[0]?.worded ?? 0 }
}
