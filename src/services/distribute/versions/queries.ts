import { and, desc, eq, inArray, isNotNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { type AppRow, lockApp } from '../apps/public.ts'
import { openStates, shelfStates } from './rules.ts'
import { listings, versionCodes, versions } from './tables.ts'

export type VersionRecord = typeof versions.$inferSelect
export type ListingRecord = typeof listings.$inferSelect

/** Rows the caller may see: the team's own for a user of a team, all for staff and workers. */
function mine(ctx: Context): SQL | undefined {
  return ctx.place.teamId !== null && ctx.caller.kind === 'user' ? eq(versions.teamId, ctx.teamId) : undefined
}

export async function loadVersion(ctx: Context, versionId: string): Promise<VersionRecord> {
  const [version] = await ctx.db
    .select()
    .from(versions)
    .where(and(eq(versions.versionId, versionId), mine(ctx)))
  return version ?? refuse(commonErrors.notFound, { entity: 'version', id: versionId })
}

/**
 * A version to be changed, with its app locked: changes of one app's versions happen one after another, and what is read
 * here is what the one before committed.
 */
export async function loadLocked(ctx: Context, versionId: string): Promise<{ app: AppRow; version: VersionRecord }> {
  const { appId } = await loadVersion(ctx, versionId)
  const app = await lockApp(ctx, appId)
  return { app, version: await loadVersion(ctx, versionId) }
}

export async function openVersionOf(ctx: Context, appId: string): Promise<VersionRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(versions)
    .where(and(eq(versions.appId, appId), inArray(versions.state, [...openStates]), mine(ctx)))
  return row
}

export async function shelfVersionOf(ctx: Context, appId: string): Promise<VersionRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(versions)
    .where(and(eq(versions.appId, appId), inArray(versions.state, [...shelfStates]), mine(ctx)))
  return row
}

/** The version that went on shelf last, whether it still is or not. */
export async function lastShelfVersionOf(ctx: Context, appId: string): Promise<VersionRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(versions)
    .where(and(eq(versions.appId, appId), isNotNull(versions.onShelfAt), mine(ctx)))
    .orderBy(desc(versions.onShelfAt), desc(versions.versionId))
    .limit(1)
  return row
}

/** The highest version code that another version of the app ever had on shelf. */
export async function highestShelfCode(ctx: Context, appId: string, butVersionId: string): Promise<string | null> {
  const [row] = await ctx.db
    .select({ highest: sql<string | null>`max(${versions.versionCode})::text` })
    .from(versions)
    .where(and(eq(versions.appId, appId), ne(versions.versionId, butVersionId), isNotNull(versions.onShelfAt)))
  return row?.highest ?? null
}

interface Page {
  cursor?: string
  pageSize?: number
}

/** Versions of an app, the newest first, by keyset. */
export async function pageOfVersions(ctx: Context, appId: string, page: Page, wasOnShelf = false) {
  const matches = and(eq(versions.appId, appId), mine(ctx), wasOnShelf ? isNotNull(versions.onShelfAt) : undefined)
  const pageSize = page.pageSize ?? 20
  const rows = await ctx.db
    .select()
    .from(versions)
    .where(and(matches, before(page.cursor, versions.versionId)))
    .orderBy(desc(versions.versionId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(versions, matches),
    list,
    nextCursor: rows.length > pageSize ? (list.at(-1)?.versionId ?? null) : null,
  }
}

export async function pageOfCodes(ctx: Context, appId: string, page: Page) {
  const matches = eq(versionCodes.appId, appId)
  const pageSize = page.pageSize ?? 20
  const rows = await ctx.db
    .select()
    .from(versionCodes)
    .where(and(matches, before(page.cursor, versionCodes.pkgId)))
    .orderBy(desc(versionCodes.pkgId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  const users = await ctx.db
    .select({ pkgId: versions.pkgId, versionId: versions.versionId, state: versions.state })
    .from(versions)
    .where(and(eq(versions.appId, appId), isNotNull(versions.pkgId)))
    .orderBy(desc(versions.versionId))
  return {
    total: await ctx.db.$count(versionCodes, matches),
    list: list.map(row => ({ ...row, versions: users.filter(user => user.pkgId === row.pkgId).slice(0, 50) })),
    nextCursor: rows.length > pageSize ? (list.at(-1)?.pkgId ?? null) : null,
  }
}

function before(cursor: string | undefined, column: typeof versions.versionId | typeof versionCodes.pkgId) {
  return cursor !== undefined && /^[0-9]{1,19}$/.test(cursor) ? lt(column, cursor) : undefined
}

export async function listingsOf(ctx: Context, versionId: string): Promise<ListingRecord[]> {
  return ctx.db.select().from(listings).where(eq(listings.versionId, versionId)).orderBy(listings.lang)
}

/** Every object a listing shows. */
export function objectsOf(rows: readonly Pick<ListingRecord, 'icon' | 'screenshots'>[]): string[] {
  return rows.flatMap(row => [
    ...(row.icon ? [row.icon.objectId] : []),
    ...row.screenshots.flatMap(one => one.images.map(image => image.objectId)),
  ])
}
