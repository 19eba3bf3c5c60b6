import { and, eq, inArray } from 'drizzle-orm'
import type { Answer } from '../../../../kernel/contract.ts'
import type { Context } from '../../../../server/context.ts'
import { versionsOf } from '../../versions/public.ts'
import { dayMs, dayOf } from '../rules.ts'
import { storeRecords } from '../tables.home.ts'
import type { storeField } from './contract.ts'

type FieldVersions = Answer<(typeof storeField.calls)['listFieldVersions']>

const mostVersions = 10

/** Which versions devices have now, and had at the end of each of the last days. */
export async function fieldVersions(ctx: Context, appId: string, dayCount: number): Promise<FieldVersions> {
  const days = Array.from({ length: dayCount }, (_, at) => dayOf(ctx.now() - (dayCount - 1 - at) * dayMs))
  const changes = await changesOf(ctx, appId, days[0] as string)
  const counts = [...changes].map(([versionId, { before, byDay }]) => {
    let active = before
    const perDay = days.map(day => {
      active += byDay.get(day) ?? 0
      // A removal may be reported of an installation that never was.
      return Math.max(0, active)
    })
    return { versionId, days: perDay, now: perDay.at(-1) ?? 0, most: Math.max(...perDay) }
  })
  const seen = counts.filter(one => one.most > 0).sort((a, b) => b.now - a.now || b.most - a.most)
  const listed = seen.slice(0, mostVersions)
  const rest = seen.slice(mostVersions)
  const names = await namesOf(
    ctx,
    listed.map(one => one.versionId),
  )
  const other = (at: number) => rest.reduce((sum, one) => sum + (one.days[at] ?? 0), 0)
  return {
    active: seen.reduce((sum, one) => sum + one.now, 0),
    list: listed.map(({ versionId, now }) => ({ versionId, ...nameOf(names, versionId), active: now })),
    other: other(days.length - 1),
    days: days.map((day, at) => ({ day, active: listed.map(one => one.days[at] ?? 0), other: other(at) })),
  }
}

interface Changes {
  /** Devices that had it before the first day. */
  before: number
  byDay: Map<string, number>
}

async function changesOf(ctx: Context, appId: string, firstDay: string): Promise<Map<string, Changes>> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ version_id: string; day: string; change: string }>({
    name: 'store field',
    text: `SELECT version_id, CASE WHEN day < $3 THEN '' ELSE day END AS day, sum(change) AS change FROM store_field
      WHERE team_id = $1 AND app_id = $2 GROUP BY 1, 2`,
    values: [ctx.teamId, appId, firstDay],
  })
  const changes = new Map<string, Changes>()
  for (const row of rows) {
    const one = changes.get(row.version_id) ?? { before: 0, byDay: new Map() }
    changes.set(row.version_id, one)
    if (row.day === '') one.before = Number(row.change)
    else one.byDay.set(row.day, Number(row.change))
  }
  return changes
}

interface Name {
  versionCode: string
  versionName: string
}

async function namesOf(ctx: Context, versionIds: readonly string[]): Promise<Map<string, Name>> {
  if (versionIds.length === 0) return new Map()
  const { versionId, versionCode, versionName } = storeRecords
  const rows = await ctx.home
    .select({ versionId, versionCode, versionName })
    .from(storeRecords)
    .where(and(inArray(versionId, [...versionIds]), eq(storeRecords.teamId, ctx.teamId)))
  const names = new Map<string, Name>(rows.map(({ versionId: id, ...name }) => [id, name]))
  // A demo is shown by no store.
  const others = await versionsOf(
    ctx,
    versionIds.filter(id => !names.has(id)),
  )
  for (const one of others)
    names.set(one.versionId, { versionCode: one.versionCode ?? '', versionName: one.versionName ?? '' })
  return names
}

function nameOf(names: ReadonlyMap<string, Name>, versionId: string): Name {
  return names.get(versionId) ?? { versionCode: '', versionName: versionId }
}
