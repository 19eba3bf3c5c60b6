import { createHash } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import { Refusal } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { objectOf } from '../../ground/files/public.ts'
import { appOf } from '../apps/public.ts'
import type { PackageRow } from '../packages/public.ts'
import { type ListingImage, type Published, publishedOf, type VersionListing } from '../versions/public.ts'
import { legacySignatureOf } from './legacy-signature.ts'
import { askForIndexes } from './repository/asking.ts'
import { localeOf } from './rules.ts'
import { type Listing, type MediaRef, storeRecords } from './tables.home.ts'
import { appendRelease } from './transparency/log.ts'

type StoreRecord = typeof storeRecords.$inferInsert

/**
 * Writes what the store shows of a version as it stands now, whatever the event said: events may come twice, late and in
 * any order. The lock comes before the look, so that the last to write has seen the newest state.
 */
export async function copyVersion(ctx: Context, appId: string, versionId: string): Promise<void> {
  await ctx.transact(async inner => {
    await lockApp(inner, appId)
    const published = await publishedOf(inner, versionId)
    // A store page without a package has nothing a device could ask for.
    if (!published.package || published.version.onShelfAt === null) return
    const record = await recordOf(inner, published, published.package)
    const { versionId: target, ...rest } = record
    await inner.home
      .insert(storeRecords)
      .values(record)
      .onConflictDoUpdate({ target: storeRecords.versionId, set: rest })
    const { packageName, versionCode, sha256, state, onShelfAt } = record
    if (state === 'on_shelf') {
      const signer = record.signers[0] ?? ''
      await appendRelease(inner, versionId, { packageName, versionCode, sha256, signer, at: onShelfAt })
    }
    await askForIndexes(inner, record.zone)
    inner.signal('home', 'store', packageName)
  })
}

/** Takes a frozen app from every door, and gives it back. */
export async function copyFreeze(ctx: Context, appId: string): Promise<void> {
  await ctx.transact(async inner => {
    await lockApp(inner, appId)
    const isFrozen = (await appOf(inner, appId)).lifecycle === 'FROZEN'
    const [row] = await inner.home
      .update(storeRecords)
      .set({ isFrozen, changedAt: inner.now() })
      .where(and(eq(storeRecords.appId, appId), ne(storeRecords.isFrozen, isFrozen)))
      .returning({ packageName: storeRecords.packageName, zone: storeRecords.zone })
    if (!row) return
    await askForIndexes(inner, row.zone)
    inner.signal('home', 'store', row.packageName)
  })
}

async function lockApp(ctx: Context, appId: string): Promise<void> {
  await ctx.transaction('home').query('SELECT pg_advisory_xact_lock(hashtextextended($1, 205))', [appId])
}

const states: Readonly<Record<string, { state: StoreRecord['state']; isForcedOff: boolean }>> = {
  ON_SHELF: { state: 'on_shelf', isForcedOff: false },
  SHELF_OFF_REVIEW: { state: 'on_shelf', isForcedOff: false },
  SUPERSEDED: { state: 'superseded', isForcedOff: false },
  OFF_BY_STORE: { state: 'off', isForcedOff: true },
}
const off = { state: 'off', isForcedOff: false } as const

async function recordOf(ctx: Context, published: Published, pkg: PackageRow): Promise<StoreRecord> {
  const { version, app } = published
  const { state, isForcedOff } = states[version.state] ?? off
  return {
    versionId: version.versionId,
    appId: app.appId,
    teamId: app.teamId,
    zone: ctx.zone,
    packageName: pkg.packageName ?? app.packageName ?? '',
    versionCode: pkg.versionCode ?? '0',
    versionName: pkg.versionName ?? '',
    sha256: pkg.sha256,
    sizeBytes: pkg.sizeBytes,
    objectId: pkg.objectId,
    signers: [...new Set([...pkg.signers, ...pkg.lineage])],
    legacySignature: await legacySignatureOf(ctx.server.bytes(ctx.zone), pkg.sha256, pkg.signers),
    minSdk: pkg.minSdk,
    targetSdk: pkg.targetSdk,
    abis: pkg.abis,
    permissions: pkg.permissions.map(({ name, maxSdk }) => ({ name, maxSdk: maxSdk ?? null })),
    listings: await listingsOf(ctx, published.listings),
    defaultLocale: localeOf(app.defaultLang),
    category: app.kindMainTag,
    isGame: app.isGame,
    priority: version.inAppUpdatePriority,
    developerName: app.developer.nameEn || app.developer.nameCn || null,
    countries: published.countries,
    state,
    isForcedOff,
    isFrozen: app.lifecycle === 'FROZEN',
    onShelfAt: version.onShelfAt ?? ctx.now(),
    leftAt: state === 'on_shelf' ? null : (version.offShelfAt ?? ctx.now()),
    changedAt: ctx.now(),
  }
}

async function listingsOf(ctx: Context, rows: readonly VersionListing[]): Promise<Record<string, Listing>> {
  const listings: Record<string, Listing> = {}
  for (const row of rows) {
    const screenshots = row.screenshots.flatMap(device => device.images)
    listings[localeOf(row.lang)] = {
      name: row.appName,
      brief: row.briefInfo,
      description: row.appDesc,
      releaseNotes: row.newFeatures,
      icon: row.icon ? ((await mediaOf(ctx, [row.icon]))[0] ?? null) : null,
      screenshots: await mediaOf(ctx, screenshots),
    }
  }
  return listings
}

const extensions: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** Where the bytes of pictures are. One that is gone, or is no picture, is left out rather than holding up a release. */
async function mediaOf(ctx: Context, images: readonly ListingImage[]): Promise<MediaRef[]> {
  const refs: MediaRef[] = []
  for (const { objectId } of images) {
    const object = await objectOf(ctx, objectId).catch(error => {
      if (error instanceof Refusal) return null
      throw error
    })
    const extension = extensions[object?.mime ?? '']
    if (!object || !extension) {
      ctx.log.warn({ objectId }, 'a picture of a listing cannot be published')
      continue
    }
    const name = `${createHash('sha256').update(objectId).digest('hex').slice(0, 32)}.${extension}`
    refs.push({ name, sha256: object.sha256, sizeBytes: object.sizeBytes, mime: object.mime })
  }
  return refs
}
