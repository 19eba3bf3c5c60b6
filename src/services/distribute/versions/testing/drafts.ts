import { and, eq, isNotNull } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { holdObjects, releaseObjects } from '../../../ground/files/public.ts'
import { type AppRow, lockApp } from '../../apps/public.ts'
import { holdPackage, type PackageRow, packageOf, releasePackage } from '../../packages/public.ts'
import { imageIdsOf, lastShelfVersionOf, listingsOf, openVersionOf } from '../queries.ts'
import { listings, versions } from '../tables.ts'
import { versionTests as contract } from './contract.ts'
import { moveTest } from './moves.ts'
import { lockTest, type TestRecord } from './queries.ts'
import { testInstalls, testVersions } from './tables.ts'

/** A draft of the test lane: the package, and the listing as it stands in the formal lane. */
export async function createTest(
  ctx: Context,
  wish: { appId: string; pkgId: string; testDesc: string },
): Promise<TestRecord> {
  const app = await lockApp(ctx, wish.appId)
  const pkg = await packageOf(ctx, wish.pkgId)
  await mustBeTestable(ctx, app, pkg)
  const now = ctx.now()
  const versionId = ctx.newId()
  const source = (await openVersionOf(ctx, app.appId)) ?? (await lastShelfVersionOf(ctx, app.appId))
  const [test] = await ctx.db
    .insert(testVersions)
    .values({
      versionId,
      teamId: app.teamId,
      appId: app.appId,
      pkgId: pkg.pkgId,
      versionCode: pkg.versionCode,
      versionName: pkg.versionName,
      testDesc: wish.testDesc.trim(),
      state: 'DRAFT',
      groupIds: [],
      countries: [],
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!test) throw new Error('no row came back')
  await holdPackage(ctx, pkg.pkgId)
  await copyListings(ctx, app, source?.versionId, versionId)
  ctx.audit({ action: 'testVersion.create', entity: 'testVersion', entityId: versionId, after: { state: 'DRAFT' } })
  ctx.emit({
    type: 'test.created',
    entity: 'testVersion',
    entityId: versionId,
    data: { appId: app.appId, pkgId: pkg.pkgId, versionId, from: null, to: 'DRAFT' },
  })
  return test
}

async function mustBeTestable(ctx: Context, app: AppRow, pkg: PackageRow): Promise<void> {
  if (pkg.appId !== app.appId) refuse(contract.errors.packageOfOtherApp, { pkgId: pkg.pkgId, appId: app.appId })
  if (pkg.state !== 'READY') refuse(contract.errors.packageNotReady, { state: pkg.state })
  if (pkg.versionCode !== null) await mustNotBeFormal(ctx, app.appId, pkg.versionCode)
}

/** Test and formal builds share one sequence of codes: what was on shelf is no test any more. */
export async function mustNotBeFormal(ctx: Context, appId: string, versionCode: string): Promise<void> {
  const [formal] = await ctx.db
    .select({ versionId: versions.versionId })
    .from(versions)
    .where(and(eq(versions.appId, appId), eq(versions.versionCode, versionCode), isNotNull(versions.onShelfAt)))
    .limit(1)
  if (formal) refuse(contract.errors.alreadyFormal, { versionCode, versionId: formal.versionId })
}

export async function copyListings(
  ctx: Context,
  app: AppRow,
  fromId: string | undefined,
  versionId: string,
): Promise<void> {
  const base = { versionId, teamId: app.teamId, updatedAt: ctx.now() }
  const found = fromId === undefined ? [] : await listingsOf(ctx, fromId)
  const copies =
    found.length > 0
      ? found.map(row => ({ ...row, ...base }))
      : [{ ...base, lang: app.defaultLang, appName: app.name, screenshots: [] }]
  await ctx.db.insert(listings).values(copies)
  await holdObjects(ctx, imageIdsOf(await listingsOf(ctx, versionId)), { ...app, isCopy: true })
}

/** Deletes a draft, or a test that is over, and lets go of what it held. */
export async function deleteTest(ctx: Context, versionId: string): Promise<void> {
  const { test } = await lockTest(ctx, versionId)
  await moveTest(ctx, test, 'delete')
  await removeTest(ctx, test)
}

export async function removeTest(ctx: Context, { versionId, pkgId }: TestRecord): Promise<void> {
  const objects = imageIdsOf(await listingsOf(ctx, versionId))
  await ctx.db.delete(listings).where(eq(listings.versionId, versionId))
  await ctx.db.delete(testInstalls).where(eq(testInstalls.versionId, versionId))
  await ctx.db.delete(testVersions).where(eq(testVersions.versionId, versionId))
  if (objects.length > 0) await releaseObjects(ctx, objects)
  await releasePackage(ctx, pkgId)
}
