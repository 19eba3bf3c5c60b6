import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { VersionRecord } from '../queries.ts'
import { phasedChanges, phasedReleases, versions } from '../tables.ts'

export type PhasedRecord = typeof phasedReleases.$inferSelect

/** The phased release of a version, which must be the caller's. */
export async function phasedOf(ctx: Context, versionId: string): Promise<PhasedRecord | undefined> {
  return (await ctx.db.select().from(phasedReleases).where(eq(phasedReleases.versionId, versionId)))[0]
}

/** The one that runs or is paused; an app, which must be the caller's, has at most one. */
export async function livePhasedOf(ctx: Context, appId: string): Promise<PhasedRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(phasedReleases)
    .where(and(eq(phasedReleases.appId, appId), inArray(phasedReleases.state, ['RELEASE', 'SUSPEND'])))
  return row
}

export async function wasPausedByGate(ctx: Context, versionId: string): Promise<boolean> {
  const [pause] = await ctx.db
    .select({ trip: phasedChanges.trip })
    .from(phasedChanges)
    .where(and(eq(phasedChanges.versionId, versionId), eq(phasedChanges.action, 'pause')))
    .orderBy(desc(phasedChanges.changeId))
    .limit(1)
  return pause !== undefined && pause.trip !== null
}

/** The version that stands on shelf beside the full one. */
export async function phasedVersionOf(ctx: Context, appId: string): Promise<VersionRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(versions)
    .where(and(eq(versions.appId, appId), sql`${versions.state} = 'PHASED'`))
  return row
}

/** What became of a phased release, the newest first, by keyset. */
export async function pageOfChanges(ctx: Context, versionId: string, page: { cursor?: string; pageSize?: number }) {
  const ofVersion = eq(phasedChanges.versionId, versionId)
  const pageSize = page.pageSize ?? 20
  const isCursor = page.cursor !== undefined && /^[0-9]{1,18}$/.test(page.cursor)
  const rows = await ctx.db
    .select()
    .from(phasedChanges)
    .where(and(ofVersion, isCursor ? lt(phasedChanges.changeId, page.cursor as string) : undefined))
    .orderBy(desc(phasedChanges.changeId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(phasedChanges, ofVersion),
    list,
    nextCursor: rows.length > pageSize ? (list.at(-1)?.changeId ?? null) : null,
  }
}
