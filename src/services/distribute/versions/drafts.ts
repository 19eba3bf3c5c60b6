import { eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { holdObjects, releaseObjects } from '../../ground/files/public.ts'
import { type AppRow, appOf, lockApp, recordFace, recordOpenVersion } from '../apps/public.ts'
import { holdPackage, releasePackage } from '../packages/public.ts'
import { versions as contract } from './contract.ts'
import { moveVersion, mustBeEditable, standingOf } from './moves.ts'
import { imageIdsOf, lastShelfVersionOf, listingsOf, loadLocked, openVersionOf, type VersionRecord } from './queries.ts'
import { listings, phasedChanges, phasedReleases, versions } from './tables.ts'

/** The version being prepared; the first one of an app is made now, so whoever made the app finds it. */
export async function openOrFirst(ctx: Context, appId: string): Promise<VersionRecord | undefined> {
  const app = await appOf(ctx, appId)
  const open = await openVersionOf(ctx, appId)
  if (open || app.lastShelf !== null || app.lifecycle !== 'ACTIVE') return open
  const locked = await lockApp(ctx, appId)
  return (await openVersionOf(ctx, appId)) ?? createDraft(ctx, locked)
}

/** Opens the next version. Refuses 202030001 when there is an open one. */
export async function openNext(ctx: Context, appId: string): Promise<VersionRecord> {
  const app = await lockApp(ctx, appId)
  const open = await openVersionOf(ctx, appId)
  if (open) refuse(contract.errors.openVersionExists, { versionId: open.versionId, ...standingOf(ctx, open) })
  return createDraft(ctx, app)
}

async function createDraft(ctx: Context, app: AppRow): Promise<VersionRecord> {
  const source = await lastShelfVersionOf(ctx, app.appId)
  const now = ctx.now()
  const versionId = ctx.newId()
  const [version] = await ctx.db
    .insert(versions)
    .values({
      versionId,
      teamId: app.teamId,
      appId: app.appId,
      isFirst: source === undefined,
      pkgId: source?.pkgId ?? null,
      versionCode: source?.versionCode ?? null,
      versionName: source?.versionName ?? null,
      countries: source?.countries ?? [],
      minVersionCode: source?.minVersionCode ?? null,
      privacyPolicyUrl: source?.privacyPolicyUrl ?? '',
      loginRequired: source?.loginRequired ?? false,
      testAccount: source?.testAccount ?? '',
      testPasswordSealed: resealed(ctx, source, versionId),
      state: 'DRAFT',
      findings: [],
      createdBy: ctx.caller.accountId,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!version) throw new Error('no row came back')
  await firstListings(ctx, app, source, versionId)
  if (version.pkgId !== null) await holdPackage(ctx, version.pkgId)
  await recordOpenVersion(ctx, app.appId, { versionId, state: 'DRAFT' })
  ctx.audit({ action: 'version.create', entity: 'version', entityId: versionId, after: { state: 'DRAFT' } })
  ctx.emit({
    type: 'version.created',
    entity: 'version',
    entityId: versionId,
    data: { appId: app.appId, pkgId: version.pkgId, from: null, to: 'DRAFT' },
  })
  return version
}

/** The password of the version before, bound to the new one. */
function resealed(ctx: Context, source: VersionRecord | undefined, versionId: string): string | null {
  if (!source?.testPasswordSealed) return null
  const { masterKey } = ctx.server
  const plain = masterKey.open('versions.testPassword', source.versionId, source.testPasswordSealed)
  return masterKey.seal('versions.testPassword', versionId, plain)
}

async function firstListings(ctx: Context, app: AppRow, source: VersionRecord | undefined, versionId: string) {
  if (source) return copyListings(ctx, source, versionId, { newFeatures: '' })
  const base = { versionId, teamId: app.teamId, updatedAt: ctx.now() }
  await ctx.db.insert(listings).values({ ...base, lang: app.defaultLang, appName: app.name, screenshots: [] })
}

/** Gives a version the texts and pictures of another one of its app, which both hold from now on. */
export async function copyListings(
  ctx: Context,
  source: VersionRecord,
  versionId: string,
  other: { newFeatures?: string } = {},
): Promise<void> {
  const rows = await listingsOf(ctx, source.versionId)
  if (rows.length === 0) return
  await ctx.db.insert(listings).values(rows.map(row => ({ ...row, versionId, updatedAt: ctx.now(), ...other })))
  await holdObjects(ctx, imageIdsOf(rows), { ...(await appOf(ctx, source.appId)), isCopy: true })
}

/** Deletes a version that was never with the store to the end, and lets go of what it held. */
export async function deleteDraft(ctx: Context, versionId: string): Promise<void> {
  const { app, version } = await loadLocked(ctx, versionId)
  mustBeEditable(ctx, version)
  await moveVersion(ctx, version, 'delete')
  await recordOpenVersion(ctx, app.appId, null)
  await removeVersion(ctx, version)
  if (app.lastShelf === null) await recordFace(ctx, app.appId, { name: app.name, iconObjectId: null })
}

/** Removes the rows of a version and releases its package and images. */
export async function removeVersion(ctx: Context, version: VersionRecord): Promise<void> {
  const objects = imageIdsOf(await listingsOf(ctx, version.versionId))
  await ctx.db.delete(listings).where(eq(listings.versionId, version.versionId))
  await ctx.db.delete(phasedChanges).where(eq(phasedChanges.versionId, version.versionId))
  await ctx.db.delete(phasedReleases).where(eq(phasedReleases.versionId, version.versionId))
  await ctx.db.delete(versions).where(eq(versions.versionId, version.versionId))
  if (objects.length > 0) await releaseObjects(ctx, objects)
  if (version.pkgId !== null) await releasePackage(ctx, version.pkgId)
}
