import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { type Gap, gapsOf } from './needs.ts'
import { endOf, limits } from './rules.ts'
import { qualificationTasks as tasks } from './tables.ts'
import { kindIdsOf, tagName, tagsOfApp } from './tags.ts'

/** A tag that keeps an app from some countries, or soon will. */
export interface QualificationGap {
  tagId: number
  /** zhCN, enUS, ruRU. */
  tagName: { zhCN: string; enUS: string; ruRU: string }
  /** Of those asked for. */
  countries: string[]
  /** ENDING: all is there, but not for long. */
  state: 'MISSING' | 'WAITING' | 'ENDING'
  /** Of each set one paper; empty where nothing is missing. */
  missing: string[][]
  /** When an approval ends, epoch milliseconds; only with ENDING. */
  expireAt: number | null
}

/**
 * Where an app may not go for want of an approval that counts now, by its tags and the countries it is to go to; and the
 * approvals that end within 60 days. The caller has checked that the app is his. At most one query.
 */
export async function qualificationGaps(
  ctx: Context,
  app: { appId: string; kindMainTag: number | null; kindSubTags: readonly number[] },
  countries: readonly string[],
): Promise<QualificationGap[]> {
  const tags = tagsOfApp(app).map(tagId => ({ tagId, kindIds: kindIdsOf(tagId) }))
  if (gapsOf(tags, countries, new Map(), new Set()).length === 0) return []
  const rows = await ctx.db
    .select()
    .from(tasks)
    .where(and(eq(tasks.appId, app.appId), inArray(tasks.state, ['PASSED', 'WAITING'])))
  const waiting = new Set(rows.filter(row => row.state === 'WAITING').map(row => row.tagId))
  const now = ctx.now()
  const gaps = gapsOf(tags, countries, heldAt(rows, now), waiting)
  const later = gapsOf(tags, countries, heldAt(rows, now + limits.renewalMs), waiting)
  const isThere = (gap: Gap) =>
    gaps.some(one => one.tagId === gap.tagId && one.countries.join() === gap.countries.join())
  const endings = later.filter(gap => gap.state === 'MISSING' && !isThere(gap))
  return [
    ...gaps.map(gap => ({ ...gap, tagName: tagName(gap.tagId), expireAt: null })),
    ...endings.map(gap => ({
      ...gap,
      missing: [],
      tagName: tagName(gap.tagId),
      state: 'ENDING' as const,
      expireAt: endOf(rows.filter(row => row.tagId === gap.tagId && isHeldAt(row, now)).flatMap(row => row.infos)),
    })),
  ]
}

type Row = typeof tasks.$inferSelect

const isHeldAt = (row: Row, at: number) => row.state === 'PASSED' && (row.expireAt === null || row.expireAt > at)

/** The papers that count at an instant, by tag. */
function heldAt(rows: readonly Row[], at: number): Map<number, string[]> {
  const held = new Map<number, string[]>()
  for (const row of rows) {
    if (!isHeldAt(row, at)) continue
    held.set(row.tagId, [...(held.get(row.tagId) ?? []), ...row.infos.map(info => info.qualificationCode)])
  }
  return held
}
