import { and, desc, eq, inArray, isNotNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import type { Db } from '../../../server/database/transaction.ts'
import { type AppRow, appInScope, lockApp } from '../apps/public.ts'
import { openStates, shelfStates } from './life/rules.ts'
import { listings, versionCodes, versions } from './tables.ts'

export type VersionRecord = typeof versions.$inferSelect
export type ListingRecord = typeof listings.$inferSelect

/** Rows the caller may see: the team's own for a user of a team, all for staff and workers. */
function mine(ctx: Context): SQL | undefined {
  return ctx.place.teamId !== null && ctx.caller.kind === 'user'
    ? and(eq(versions.teamId, ctx.teamId), appInScope(ctx, versions.appId))
    : undefined
}

type Values = Record<string, unknown>
type Statement<Row> = (db: Db, reach?: SQL) => { execute(values: Values): Promise<Row[]>; prepare(name: string): never }

/**
 * A statement over versions that is built once for members of the whole team and once for staff and workers. Who reaches
 * only some apps has it built for him.
 */
function hot<Row>(statement: (db: Db, reach: SQL | undefined) => unknown) {
  const build = statement as Statement<Row>
  const ofTeam = planned<Row[]>(db => build(db, eq(versions.teamId, sql.placeholder('teamId'))))
  const ofAll = planned<Row[]>(db => build(db))
  return async (ctx: Context, values: Values): Promise<Row[]> => {
    const isOfTeam = ctx.place.teamId !== null && ctx.caller.kind === 'user'
    if (isOfTeam && appInScope(ctx, versions.appId)) return build(ctx.db, mine(ctx)).execute(values)
    const transaction = ctx.transaction(ctx.zone)
    return isOfTeam ? ofTeam(transaction, { ...values, teamId: ctx.teamId }) : ofAll(transaction, values)
  }
}

/** Written out, so that PostgreSQL sees that the partial indexes hold. */
const inStates = (states: readonly string[]) =>
  sql`${versions.state} IN (${sql.raw(states.map(state => `'${state}'`).join(', '))})`
const ofApp = eq(versions.appId, sql.placeholder('appId'))

const byId = hot<VersionRecord>((db, reach) =>
  db
    .select()
    .from(versions)
    .where(and(eq(versions.versionId, sql.placeholder('versionId')), reach)),
)
const openOfApp = hot<VersionRecord>((db, reach) =>
  db
    .select()
    .from(versions)
    .where(and(ofApp, inStates(openStates), reach)),
)
const shelfOfApp = hot<VersionRecord>((db, reach) =>
  db
    .select()
    .from(versions)
    .where(and(ofApp, inStates(shelfStates), reach)),
)
const lastShelfOfApp = hot<VersionRecord>((db, reach) =>
  db
    .select()
    .from(versions)
    .where(and(ofApp, isNotNull(versions.onShelfAt), reach))
    .orderBy(desc(versions.onShelfAt), desc(versions.versionId))
    .limit(1),
)

export async function loadVersion(ctx: Context, versionId: string): Promise<VersionRecord> {
  const [version] = await byId(ctx, { versionId })
  return version ?? refuse(commonErrors.notFound, { entity: 'version', id: versionId })
}

/** Those of the versions that exist and are the caller's; in no order. */
export async function loadVersions(ctx: Context, versionIds: readonly string[]): Promise<VersionRecord[]> {
  if (versionIds.length === 0) return []
  return ctx.db
    .select()
    .from(versions)
    .where(and(inArray(versions.versionId, [...new Set(versionIds)]), mine(ctx)))
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
  return (await openOfApp(ctx, { appId }))[0]
}

export async function shelfVersionOf(ctx: Context, appId: string): Promise<VersionRecord | undefined> {
  return (await shelfOfApp(ctx, { appId }))[0]
}

/** The version that went on shelf last, whether it still is or not. */
export async function lastShelfVersionOf(ctx: Context, appId: string): Promise<VersionRecord | undefined> {
  return (await lastShelfOfApp(ctx, { appId }))[0]
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

const pageStatement = (wasOnShelf: boolean) =>
  hot<VersionRecord>((db, reach) =>
    db
      .select()
      .from(versions)
      .where(
        and(
          ofApp,
          sql`${versions.versionId} < ${sql.placeholder('before')}`,
          wasOnShelf ? isNotNull(versions.onShelfAt) : undefined,
          reach,
        ),
      )
      .orderBy(desc(versions.versionId))
      .limit(sql.placeholder('limit') as never),
  )
const countStatement = (wasOnShelf: boolean) =>
  hot<{ total: number }>((db, reach) =>
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(versions)
      .where(and(ofApp, wasOnShelf ? isNotNull(versions.onShelfAt) : undefined, reach)),
  )
const pages = {
  all: { rows: pageStatement(false), count: countStatement(false) },
  onShelf: { rows: pageStatement(true), count: countStatement(true) },
}
const afterAllIds = '9223372036854775807'

/** Versions of an app, the newest first, by keyset. */
export async function pageOfVersions(ctx: Context, appId: string, page: Page, wasOnShelf = false) {
  const pageSize = page.pageSize ?? 20
  const statements = wasOnShelf ? pages.onShelf : pages.all
  const isCursor = page.cursor !== undefined && /^[0-9]{1,18}$/.test(page.cursor)
  const before = isCursor ? page.cursor : afterAllIds
  const rows = await statements.rows(ctx, { appId, before, limit: pageSize + 1 })
  const [counted] = await statements.count(ctx, { appId })
  const list = rows.slice(0, pageSize)
  return {
    total: counted?.total ?? 0,
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
    .where(and(matches, before(page.cursor)))
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

function before(cursor: string | undefined) {
  return cursor !== undefined && /^[0-9]{1,18}$/.test(cursor) ? lt(versionCodes.pkgId, cursor) : undefined
}

const listingsOfVersion = planned<ListingRecord[]>(
  db =>
    db
      .select()
      .from(listings)
      .where(eq(listings.versionId, sql.placeholder('versionId')))
      .orderBy(listings.lang) as never,
)

export async function listingsOf(ctx: Context, versionId: string): Promise<ListingRecord[]> {
  return listingsOfVersion(ctx.transaction(ctx.zone), { versionId })
}

/** Every object a listing shows. */
export function imageIdsOf(
  rows: readonly Pick<ListingRecord, 'icon' | 'screenshots' | 'film' | 'filmCover'>[],
): string[] {
  return rows.flatMap(row => [
    ...(row.icon ? [row.icon.objectId] : []),
    ...row.screenshots.flatMap(one => one.images.map(image => image.objectId)),
    ...(row.film ? [row.film.objectId] : []),
    ...(row.filmCover ? [row.filmCover.objectId] : []),
  ])
}
