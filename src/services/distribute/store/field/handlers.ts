import type { Cell } from '../../../../kernel/cells.ts'
import type { Language } from '../../../../kernel/language.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { spreadsheet } from '../../../../server/spreadsheet.ts'
import { appOf } from '../../apps/public.ts'
import { dayMs, dayOf } from '../rules.ts'
import { storeField as contract } from './contract.ts'
import { fieldVersions } from './field-versions.ts'
import { countReports } from './reports.ts'
import { type Outcome, outcomes } from './rules.ts'

const mostShares = 50

export default implement(contract, {
  reportInstalls: (ctx, { body }) => {
    const at = body.reports.findIndex(one => one.outcome === 'updated' && one.fromVersionCode === undefined)
    if (at >= 0) throw badField(`/reports/${at}/fromVersionCode`, 'required', 'Name the version code that was updated.')
    return countReports(ctx, body.reports)
  },

  listInstallDays: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    return { list: await installDays(ctx, query) }
  },

  exportInstallDays: async (ctx, { query }) => {
    const { appId, format } = query
    await appOf(ctx, appId)
    return spreadsheet(format, {
      fileName: `installs-${appId}-${dayOf(ctx.now())}`,
      columns: columns[query.language ?? ctx.place.language],
      rows: dayRows(await installDays(ctx, query)),
    })
  },

  listFieldVersions: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    return fieldVersions(ctx, query.appId, query.days ?? 30)
  },

  listInstallShares: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const column = { country: 'country', deviceClass: 'device_class', reason: 'reason' }[query.by]
    const { rows } = await ctx.transaction(ctx.zone).query<{ key: string; counts: Counts; all: string }>({
      name: `store install shares ${query.by}`,
      text: `SELECT key, jsonb_object_agg(outcome, amount) AS counts, sum(amount) AS all FROM (
          SELECT ${column} AS key, outcome, sum(amount) AS amount FROM store_installs
          WHERE team_id = $1 AND app_id = $2 AND day >= $3 AND ($4::bigint IS NULL OR version_id = $4)
            AND ($5::boolean IS FALSE OR outcome = 'failed')
          GROUP BY ${column}, outcome) AS sums
        GROUP BY key ORDER BY sum(amount) DESC, key`,
      values: [ctx.teamId, query.appId, firstDay(ctx, query.days), query.versionId ?? null, query.by === 'reason'],
    })
    const sum = (some: typeof rows) => some.reduce((total, row) => total + Number(row.all), 0)
    const rest = rows.slice(mostShares)
    return {
      total: sum(rows),
      list: rows.slice(0, mostShares).map(({ key, counts }) => ({ key, ...nothing, ...counts })),
      other: rest.length > 0 ? sum(rest) : null,
    }
  },
})

type Counts = Partial<Record<Outcome, number>>
const nothing: Record<Outcome, number> = { installed: 0, updated: 0, failed: 0, uninstalled: 0 }

interface DaysWish {
  appId: string
  versionId?: string
  country?: string
  days?: number
}

/** What devices reported on each day that had reports, the newest first. */
async function installDays(ctx: Context, query: DaysWish) {
  const { rows } = await ctx.transaction(ctx.zone).query<{ key: string; counts: Counts }>({
    name: 'store install days',
    text: `SELECT day AS key, jsonb_object_agg(outcome, amount) AS counts FROM (
        SELECT day, outcome, sum(amount) AS amount FROM store_installs
        WHERE team_id = $1 AND app_id = $2 AND day >= $3 AND ($4::bigint IS NULL OR version_id = $4)
          AND ($5::text IS NULL OR country = $5)
        GROUP BY day, outcome) AS sums
      GROUP BY day ORDER BY day DESC`,
    values: [ctx.teamId, query.appId, firstDay(ctx, query.days), query.versionId ?? null, query.country ?? null],
  })
  return rows.map(({ key, counts }) => ({ day: key, ...nothing, ...counts }))
}

/** The first row of an export, in the order of `outcomes`. */
const columns: Readonly<Record<Language, readonly string[]>> = {
  zh: ['日期（UTC）', '安装', '更新', '失败', '卸载'],
  en: ['Day (UTC)', 'Installed', 'Updated', 'Failed', 'Removed'],
  ru: ['День (UTC)', 'Установлено', 'Обновлено', 'Сбои', 'Удалено'],
}

/** At most ninety, read at once. */
async function* dayRows(days: Awaited<ReturnType<typeof installDays>>): AsyncGenerator<Cell[], void, undefined> {
  for (const day of days) yield [day.day, ...outcomes.map(outcome => day[outcome])]
}

/** Today and the days before it (UTC). */
function firstDay(ctx: Context, days = 30): string {
  return dayOf(ctx.now() - (days - 1) * dayMs)
}
