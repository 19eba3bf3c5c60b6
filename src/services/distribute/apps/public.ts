import { type AnyColumn, and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { apps as contract } from './contract.ts'
import { isGameKind, kinds } from './kinds.ts'
import { type AppRecord, claimPackageName, holderOf, mine, mustNotBeDemo } from './queries.ts'
import { type AppState, isPackageName, type PackageType } from './rules.ts'
import { apps, type Contact, type Shelf } from './tables.ts'

export type { Shelf } from './tables.ts'

/** An app as other services see it. */
export interface AppRow {
  appId: string
  teamId: string
  projectId: string
  packageName: string | null
  packageType: PackageType
  defaultLang: string
  /** In the default language. */
  name: string
  iconObjectId: string | null
  isGame: boolean
  kindMainTag: number | null
  kindSubTags: number[]
  deviceTypes: number[]
  developer: { nameCn: string; nameEn: string; website: string; contact: Contact }
  lifecycle: AppState
  openVersionId: string | null
  /** Where the version that is being prepared stands. */
  openVersionState: string | null
  /** What is on shelf now. */
  shelf: Shelf | null
  /** What was on shelf last, even if it was taken off; the signer must stay the same. */
  lastShelf: Shelf | null
  createdAt: number
  revision: number
}

/** The app of the caller's team (any team for staff and workers). Refuses 404, also for a deleted one. */
export async function appOf(ctx: Context, appId: string): Promise<AppRow> {
  const [app] = await appsOf(ctx, [appId])
  return app ?? refuse(commonErrors.notFound, { entity: 'app', id: appId })
}

/** The condition that keeps rows of apps within the caller's scope, by their column of the app; undefined where that is all. */
export function appInScope(ctx: Context, appId: AnyColumn): SQL | undefined {
  const byApp = ctx.withinScope({ appId })
  const byProject = ctx.withinScope({ projectId: apps.projectId })
  return byApp && sql`(${byApp} OR EXISTS (SELECT 1 FROM ${apps} WHERE ${apps.appId} = ${appId} AND ${byProject}))`
}

/** Those of the apps that exist and are the caller's; in no order. */
export async function appsOf(ctx: Context, appIds: readonly string[]): Promise<AppRow[]> {
  if (appIds.length === 0) return []
  const rows = await ctx.db
    .select()
    .from(apps)
    .where(and(inArray(apps.appId, [...new Set(appIds)]), mine(ctx)))
  return rows.map(toAppRow)
}

/**
 * The app, locked until the transaction ends: whoever changes something that belongs to the app takes this first, so that
 * changes of one app happen one after another. Refuses 404, and 202010006 when the app is frozen.
 */
export async function lockApp(ctx: Context, appId: string): Promise<AppRow> {
  const [row] = await ctx.db
    .select()
    .from(apps)
    .where(and(eq(apps.appId, appId), mine(ctx)))
    .for('update')
  if (!row) refuse(commonErrors.notFound, { entity: 'app', id: appId })
  mustNotBeDemo(ctx, row)
  if (row.state === 'FROZEN' && ctx.caller.kind === 'user' && ctx.place.teamId !== null) {
    refuse(contract.errors.frozen, { appId, reason: row.frozenReason })
  }
  return toAppRow(row)
}

/**
 * The first accepted package fixes the app's package name and reserves it in the whole store. Refuses 202010001 or
 * 202010002 when somebody else holds it, 202010004 when the app has another name already.
 */
export async function settlePackageName(ctx: Context, appId: string, packageName: string): Promise<void> {
  const app = await lockApp(ctx, appId)
  if (app.packageName !== null && app.packageName !== packageName) {
    refuse(contract.errors.packageNameDiffers, { expected: app.packageName, actual: packageName })
  }
  if (!isPackageName(app.packageType, packageName)) refuse(contract.errors.packageNameInvalid, { packageName })
  await claimPackageName(ctx, app, packageName)
  await ctx.db
    .update(apps)
    .set({ packageName, packageNameSettled: true, updatedAt: ctx.now() })
    .where(eq(apps.appId, appId))
}

/** Who holds a package name in the whole store; null when nobody does, or did until the reservation ran out. */
export async function nameHolder(
  ctx: Context,
  packageType: string,
  packageName: string,
): Promise<{ appId: string; teamId: string; zone: ZoneId; reservedUntil: number | null } | null> {
  const row = await holderOf(ctx, packageType, packageName)
  return (
    row && { appId: row.appId, teamId: row.holderTeamId, zone: row.zone as ZoneId, reservedUntil: row.reservedUntil }
  )
}

/** Says what is on shelf now, in the transaction of the version that went on or came off (null). */
export async function recordShelf(ctx: Context, appId: string, shelf: Shelf | null): Promise<void> {
  await ctx.db
    .update(apps)
    .set({
      shelf,
      ...(shelf ? { lastShelf: shelf, firstShelfAt: sql`coalesce(${apps.firstShelfAt}, ${shelf.at})` } : {}),
      updatedAt: ctx.now(),
    })
    .where(and(eq(apps.appId, appId), mine(ctx)))
}

/** Says which version is being prepared and where it stands; null when there is none. */
export async function recordOpenVersion(
  ctx: Context,
  appId: string,
  open: { versionId: string; state: string } | null,
): Promise<void> {
  await ctx.db
    .update(apps)
    .set({ openVersionId: open?.versionId ?? null, openVersionState: open?.state ?? null, updatedAt: ctx.now() })
    .where(and(eq(apps.appId, appId), mine(ctx)))
}

/** Name and icon for lists: those of the default language on shelf, else of the draft. */
export async function recordFace(
  ctx: Context,
  appId: string,
  face: { name: string; iconObjectId: string | null },
): Promise<void> {
  await ctx.db
    .update(apps)
    .set({ ...face, updatedAt: ctx.now() })
    .where(and(eq(apps.appId, appId), mine(ctx)))
}

function toAppRow(row: AppRecord): AppRow {
  const { developerNameCn, developerNameEn, developerWebsite, contact, state, packageType, ...rest } = row
  return {
    ...rest,
    packageType: packageType as PackageType,
    lifecycle: state,
    developer: { nameCn: developerNameCn, nameEn: developerNameEn, website: developerWebsite, contact },
  }
}

/** A category or tag as people read it; `nameByLang` has all three languages. */
export interface KindRow {
  id: number
  parentId: number | null
  nameByLang: { zhCN: string; enUS: string; ruRU: string }
  game: boolean
}

/** The tree of categories, parents before what is below them. */
export function kindTree(): KindRow[] {
  return kinds.map(({ id, parentId, zh, en, ru }) => ({
    id,
    parentId,
    nameByLang: { zhCN: zh, enUS: en, ruRU: ru },
    game: isGameKind(id),
  }))
}
