import type { Context } from '../../../server/context.ts'
import { keptDownloadDays, keptReportDays } from './field/rules.ts'
import { dayMs } from './rules.ts'

/** Beyond this the next sweep goes on, so that none holds its rows for long. */
const mostAtOnce = 50_000

/** Forgets which device fetched what and which reports were counted; the tallies of each day stay. */
export async function dropOldRows(ctx: Context): Promise<void> {
  const drop = (table: string, days: number) =>
    ctx.transaction(ctx.zone).query({
      text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE at < $1 LIMIT $2))`,
      values: [ctx.now() - days * dayMs, mostAtOnce],
    })
  await drop('store_downloads', keptDownloadDays)
  await drop('store_health_devices', keptDownloadDays)
  await drop('store_reports', keptReportDays)
}
