import type { Answer, Input } from '../../../kernel/contract.ts'
import type { Context } from '../../../server/context.ts'
import { appOf } from '../apps/public.ts'
import type { store } from './contract.ts'
import { type CountType, dayMs, dayOf } from './rules.ts'

type Call = (typeof store.calls)['getVersionReach']

const fields: Readonly<Record<CountType, string>> = {
  update_offered: 'updatesOffered',
  download: 'downloads',
  download_start: 'downloadsStarted',
  download_ok: 'downloadsCompleted',
  download_fail: 'downloadsFailed',
  install_ok: 'installs',
  install_fail: 'installsFailed',
  open: 'opens',
  uninstall: 'uninstalls',
  crash: 'crashes',
  anr: 'freezes',
}
const nothing = Object.fromEntries(Object.values(fields).map(field => [field, 0]))

/** What devices did with the versions of an app, the newest day first; today and the days before it (UTC). */
export async function reachOf(ctx: Context, query: Input<Call>['query']): Promise<Answer<Call>> {
  await appOf(ctx, query.appId)
  const firstDay = dayOf(ctx.now() - ((query.days ?? 30) - 1) * dayMs)
  const { rows } = await ctx.transaction(ctx.zone).query<{ version_id: string; day: string; counts: Counts }>({
    name: 'store reach',
    text: `SELECT version_id, day, jsonb_object_agg(type, amount) AS counts FROM store_counts
      WHERE team_id = $1 AND app_id = $2 AND day >= $3 AND ($4::bigint IS NULL OR version_id = $4)
      GROUP BY version_id, day ORDER BY day DESC, version_id DESC`,
    values: [ctx.teamId, query.appId, firstDay, query.versionId ?? null],
  })
  const list = rows.map(row => ({ versionId: row.version_id, day: row.day, ...nothing, ...namedCounts(row.counts) }))
  return { list: list as Answer<Call>['list'] }
}

type Counts = Partial<Record<CountType, number>>

function namedCounts(counts: Counts): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([type, amount]) => [fields[type as CountType], amount]))
}
