import { createHash } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { appOf } from '../apps/public.ts'
import { type PassedPicture, passedPictureOf } from '../distribution-view/public.ts'
import { type ServedTest, testsToServe } from '../material/public.ts'
import type { PackageRow } from '../packages/public.ts'
import { appsInSeries, seriesOfApp } from '../series/public.ts'
import { type ListingImage, type Published, publishedOf, type VersionListing } from '../versions/public.ts'
import { legacySignatureOf } from './legacy-signature.ts'
import { type PictureRecord, pictureIdsOf, picturesOf, startPictures, testPictureIds } from './pictures.ts'
import { askForIndexes } from './repository/asking.ts'
import { localeOf } from './rules.ts'
import { type HeroRef, type Listing, type MediaRef, storeRecords, type TestRef } from './tables.home.ts'
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
    const passed = await passedPictureOf(inner, appId)
    const tests = await testsToServe(inner, appId)
    const objectIds = pictureIdsOf(published.listings, passed, tests)
    const pictures = await picturesOf(inner, objectIds)
    const hasPublicPictures = objectIds.every(objectId => pictures.has(objectId))
    const hero = heroOf(passed, pictures)
    const record = {
      ...(await recordOf(inner, published, published.package, pictures)),
      hero,
      series: await seriesOfApp(inner, appId),
      tests: testRefsOf(tests, pictures),
      hasPublicPictures,
    }
    const { versionId: target, ...rest } = record
    await inner.home
      .insert(storeRecords)
      .values(record)
      .onConflictDoUpdate({ target: storeRecords.versionId, set: rest })
    const { packageName, versionCode, sha256, state, onShelfAt } = record
    if (state === 'on_shelf') {
      if (!hasPublicPictures) startPictures(inner, published.version)
      const signer = record.signers[0] ?? ''
      // Whoever installs a set can look up each of its files.
      for (const one of [sha256, ...record.splitSet.map(part => part.sha256)]) {
        await appendRelease(inner, versionId, { packageName, versionCode, sha256: one, signer, at: onShelfAt })
      }
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
  PHASED: { state: 'on_shelf', isForcedOff: false },
  SHELF_OFF_REVIEW: { state: 'on_shelf', isForcedOff: false },
  SUPERSEDED: { state: 'superseded', isForcedOff: false },
  OFF_BY_STORE: { state: 'off', isForcedOff: true },
}
const off = { state: 'off', isForcedOff: false } as const

/** What the store tells of a version that people can get. */
export async function recordOf(
  ctx: Context,
  published: Published,
  pkg: PackageRow,
  pictures: Pictures,
): Promise<Omit<typeof storeRecords.$inferSelect, 'hero' | 'series' | 'tests' | 'hasPublicPictures'>> {
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
    splitSet: pkg.splitSet.map(({ split, abi, density, language, sha256, sizeBytes }) => ({
      ...{ split, abi, density, language, sha256, sizeBytes },
    })),
    signers: [...new Set([...pkg.signers, ...pkg.lineage])],
    legacySignature: await legacySignatureOf(ctx.server.bytes(ctx.zone), pkg.sha256, pkg.signers),
    minSdk: pkg.minSdk,
    targetSdk: pkg.targetSdk,
    abis: pkg.abis,
    permissions: pkg.permissions.map(({ name, maxSdk }) => ({ name, maxSdk: maxSdk ?? null })),
    listings: listingsOf(published.listings, pictures),
    defaultLocale: localeOf(app.defaultLang),
    category: app.kindMainTag,
    isGame: app.isGame,
    priority: version.inAppUpdatePriority,
    minVersionCode: version.minVersionCode,
    developerName: app.developer.nameEn || app.developer.nameCn || null,
    countries: published.countries,
    phase: published.phase,
    state,
    isForcedOff,
    isFrozen: app.lifecycle === 'FROZEN',
    onShelfAt: version.onShelfAt ?? ctx.now(),
    leftAt: state === 'on_shelf' ? null : leftAtOf(ctx, version),
    changedAt: ctx.now(),
  }
}

/** What is rolled back is fetched by nobody any more, not even by whoever was offered it a moment ago. */
function leftAtOf(ctx: Context, { state, offShelfAt }: Published['version']): number {
  return state === 'ROLLED_BACK' ? 0 : (offShelfAt ?? ctx.now())
}

/** Those that run and of which every picture is made: nobody sees half a variant. */
function testRefsOf(tests: readonly ServedTest[], pictures: Pictures): TestRef[] {
  return tests.flatMap(test => {
    const isWhole = testPictureIds([test]).every(objectId => pictures.get(objectId)?.publicObjectId)
    if (!test.isRunning || !isWhole) return []
    const { testId, langs, countries, trafficPercent, shares } = test
    const variants = test.variants.map(({ variantId, materials }) => ({
      variantId,
      faces: Object.fromEntries(materials.map(one => [localeOf(one.lang), testFaceOf(test, one, pictures)])),
    }))
    return [{ testId, locales: langs.map(localeOf), countries, trafficBp: trafficPercent * 100, shares, variants }]
  })
}

function testFaceOf(
  { elements }: ServedTest,
  one: ServedTest['variants'][number]['materials'][number],
  pictures: Pictures,
) {
  const face: Partial<Listing> = {}
  if (elements.includes('name') && one.name !== null) face.name = one.name
  if (elements.includes('brief') && one.brief !== null) face.brief = one.brief
  if (elements.includes('icon') && one.icon) face.icon = oneOf(one.icon, pictures)
  if (elements.includes('screenshots') && one.screenshots) {
    face.screenshots = mediaOf(
      one.screenshots.flatMap(device => device.images),
      pictures,
    )
  }
  if (elements.includes('video') && one.film) Object.assign(face, { film: oneOf(one.film, pictures), filmCover: null })
  return face
}

type Pictures = ReadonlyMap<string, PictureRecord>

function listingsOf(rows: readonly VersionListing[], pictures: Pictures): Record<string, Listing> {
  const listings: Record<string, Listing> = {}
  for (const row of rows) {
    const screenshots = row.screenshots.flatMap(device => device.images)
    listings[localeOf(row.lang)] = {
      name: row.appName,
      brief: row.briefInfo,
      description: row.appDesc,
      releaseNotes: row.newFeatures,
      icon: oneOf(row.icon, pictures),
      screenshots: mediaOf(screenshots, pictures),
      film: oneOf(row.film, pictures),
      filmCover: oneOf(row.filmCover, pictures),
    }
  }
  return listings
}

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
}

const oneOf = (image: Pick<ListingImage, 'objectId'> | null, pictures: Pictures): MediaRef | null =>
  image && (mediaOf([image], pictures)[0] ?? null)

/** Where the bytes of pictures are. One that is not made yet, or cannot be, is left out rather than holding up a release. */
function mediaOf(images: readonly Pick<ListingImage, 'objectId'>[], pictures: Pictures): MediaRef[] {
  return images.flatMap(({ objectId }) => {
    const { publicObjectId, sha256, sizeBytes, mime } = pictures.get(objectId) ?? {}
    const extension = extensions[mime ?? '']
    if (!publicObjectId || !sha256 || !sizeBytes || !mime || !extension) return []
    const name = `${createHash('sha256').update(publicObjectId).digest('hex').slice(0, 32)}.${extension}`
    return [{ name, sha256, sizeBytes, mime }]
  })
}

function heroOf(passed: PassedPicture | null, pictures: Pictures): HeroRef | null {
  const [ref] = passed ? mediaOf([passed], pictures) : []
  return ref && passed ? { ...ref, dominantColor: passed.dominantColor, textColor: passed.textColor } : null
}

/** Says with what is on shelf of an app how the app itself stands now: its large picture, its series. */
export async function copyShelved(ctx: Context, appId: string): Promise<void> {
  const rows = await ctx.home
    .select({ versionId: storeRecords.versionId })
    .from(storeRecords)
    .where(and(eq(storeRecords.appId, appId), eq(storeRecords.state, 'on_shelf')))
  for (const { versionId } of rows) await copyVersion(ctx, appId, versionId)
}

/** What a series is now, with all that it holds and with what it held before. */
export async function copySeries(ctx: Context, seriesId: string, named: readonly string[]): Promise<void> {
  for (const appId of new Set([...named, ...(await appsInSeries(ctx, seriesId))])) await copyShelved(ctx, appId)
}

/** Published before pictures were made for the public, or whose job was given up: looked at again. */
export async function copyWithoutPictures(ctx: Context): Promise<void> {
  const rows = await ctx.home
    .select({ versionId: storeRecords.versionId, appId: storeRecords.appId })
    .from(storeRecords)
    .where(
      and(
        eq(storeRecords.zone, ctx.zone),
        eq(storeRecords.state, 'on_shelf'),
        eq(storeRecords.hasPublicPictures, false),
      ),
    )
    .orderBy(storeRecords.versionId)
    .limit(50)
  for (const { versionId, appId } of rows) await copyVersion(ctx, appId, versionId)
}
