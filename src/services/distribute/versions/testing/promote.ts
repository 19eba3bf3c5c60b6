import { and, eq, isNotNull } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { releaseObjects } from '../../../ground/files/public.ts'
import type { AppRow } from '../../apps/public.ts'
import { holdPackage, packageOf, packagesOf, releasePackage } from '../../packages/public.ts'
import { versions as formal } from '../contract.ts'
import { decide } from '../decide.ts'
import { openNext } from '../drafts.ts'
import { isLocked } from '../life/rules.ts'
import { moveVersion, standingOf } from '../moves.ts'
import type { PhaseWish } from '../phased/plan.ts'
import { imageIdsOf, type ListingRecord, listingsOf, openVersionOf, type VersionRecord } from '../queries.ts'
import { submit } from '../submit.ts'
import { listings } from '../tables.ts'
import { copyListings } from './drafts.ts'
import { moveTest } from './moves.ts'
import { loadTest, lockTest, type TestRecord } from './queries.ts'
import { testVersions } from './tables.ts'

/**
 * Makes the formal version of a reviewed test: in the draft of the formal lane where there is one, which keeps its own
 * listing, else in a new one with the listing of the test. It is submitted as any other.
 */
export async function promote(
  ctx: Context,
  wish: {
    versionId: string
    releaseType?: number
    releaseTime?: number
    phasedInfo?: PhaseWish['phased']
    phasedDescription?: string
  },
): Promise<{ test: TestRecord; version: VersionRecord }> {
  const { app, test } = await lockTest(ctx, wish.versionId)
  await moveTest(ctx, test, 'promote')
  const open = await openVersionOf(ctx, app.appId)
  if (open && isLocked(open.state)) {
    refuse(formal.errors.openVersionExists, { versionId: open.versionId, ...standingOf(ctx, open) })
  }
  const draft = open ?? (await openWithListing(ctx, app, test))
  const { versionId } = await takePackage(ctx, draft, test)
  await ctx.db.update(testVersions).set({ promotedTo: versionId }).where(eq(testVersions.versionId, test.versionId))
  const { releaseTime, releaseType, phasedInfo, phasedDescription } = wish
  const { version } = await submit(
    ctx,
    {
      versionId,
      releaseMode: releaseTime === undefined ? 'AUTO' : 'TIMED',
      onShelfTime: releaseTime ?? null,
      ...(releaseType === 2
        ? {
            releasePhase: 3,
            ...(phasedInfo && { phased: phasedInfo }),
            ...(phasedDescription !== undefined && { phasedDescription }),
          }
        : { releasePhase: 0 }),
      isConsequence: true,
    },
    false,
  )
  return { test: await loadTest(ctx, test.versionId), version }
}

async function openWithListing(ctx: Context, app: AppRow, test: TestRecord): Promise<VersionRecord> {
  const draft = await openNext(ctx, app.appId)
  const before = imageIdsOf(await listingsOf(ctx, draft.versionId))
  await ctx.db.delete(listings).where(eq(listings.versionId, draft.versionId))
  if (before.length > 0) await releaseObjects(ctx, before)
  await copyListings(ctx, app, test.versionId, draft.versionId)
  return draft
}

async function takePackage(ctx: Context, draft: VersionRecord, test: TestRecord): Promise<VersionRecord> {
  const pkg = await packageOf(ctx, test.pkgId)
  if (pkg.usage === 'TEST_ONLY') refuse(formal.errors.packageTestOnly, { pkgId: pkg.pkgId })
  if (draft.pkgId !== test.pkgId) {
    if (draft.pkgId !== null) await releasePackage(ctx, draft.pkgId)
    await holdPackage(ctx, test.pkgId)
  }
  const { pkgId, versionCode, versionName } = test
  const countries = draft.countries.length > 0 ? draft.countries : test.countries
  return moveVersion(ctx, draft, 'edit', {
    isConsequence: true,
    set: { pkgId, versionCode, versionName, countries, submitQueuedBy: null },
    note: { ofTest: test.versionId },
  })
}

/**
 * What the store has looked at as a test, the same bytes and the same words, is not looked at again: the version goes on
 * as if it had been approved. With other words it is reviewed as any other.
 */
export async function passIfTested(ctx: Context, version: VersionRecord): Promise<void> {
  const [test] = await ctx.db
    .select()
    .from(testVersions)
    .where(and(eq(testVersions.promotedTo, version.versionId), isNotNull(testVersions.approvedAt)))
  if (!test || version.pkgId === null) return
  const digests = new Set((await packagesOf(ctx, [test.pkgId, version.pkgId])).map(pkg => pkg.sha256))
  const [tested, now] = [await listingsOf(ctx, test.versionId), await listingsOf(ctx, version.versionId)]
  if (digests.size !== 1 || wordsOf(tested) !== wordsOf(now)) return
  await decide(ctx, { versionId: version.versionId, verdict: 'approve', note: `tested as ${test.versionId}` })
  ctx.emit({
    type: 'version.review.skipped',
    entity: 'version',
    entityId: version.versionId,
    teamId: version.teamId,
    data: { appId: version.appId, testVersionId: test.versionId },
  })
}

/** Everything people read and see, to be compared. */
function wordsOf(rows: readonly ListingRecord[]): string {
  return JSON.stringify(
    rows.map(({ lang, appName, briefInfo, appDesc, newFeatures, icon, screenshots, film, filmCover }) => [
      lang,
      appName,
      briefInfo,
      appDesc,
      newFeatures,
      icon?.objectId ?? null,
      screenshots.map(one => [one.deviceType, one.showType, one.images.map(image => image.objectId)]),
      film?.objectId ?? null,
      filmCover?.objectId ?? null,
    ]),
  )
}

/** When the formal version is on shelf the test it was made of is over. */
export async function concludeTests(ctx: Context, versionId: string): Promise<void> {
  const done = await ctx.db
    .select({ versionId: testVersions.versionId })
    .from(testVersions)
    .where(and(eq(testVersions.promotedTo, versionId), eq(testVersions.state, 'TESTING')))
  for (const one of done) {
    const { test } = await lockTest(ctx, one.versionId)
    if (test.state === 'TESTING') await moveTest(ctx, test, 'conclude', { data: { promotedTo: versionId } })
  }
}
