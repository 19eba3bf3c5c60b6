import { and, eq, max, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { type AppRow, appsOf } from '../../apps/public.ts'
import { holderOf, noteInstall, type Tester } from '../../beta-test/public.ts'
import { type PackageRow, packagesOf } from '../../packages/public.ts'
import { type ListingRecord, listingsOf, type VersionRecord } from '../queries.ts'
import { asVersion } from './as-version.ts'
import type { TestRecord } from './queries.ts'
import { testTypes } from './rules.ts'
import { testInstalls, testVersions } from './tables.ts'

/** A test version that somebody may have, as `publishedOf` tells of a formal one. */
export interface TestOffer {
  version: VersionRecord
  app: AppRow
  package: PackageRow
  listings: ListingRecord[]
  /** ISO 3166 codes; empty is everywhere. */
  countries: string[]
}

export interface Tests {
  /** What the repository of it is called. */
  name: string
  /** Goes up whenever what is offered may have changed; epoch milliseconds. */
  changedAt: number
  offers: TestOffer[]
}

/**
 * What the holder of a secret may test now, by the server's clock; a full test only where the device has it already. Null
 * when the secret opens nothing (any more). With `isUse` a person has thereby said yes to his invitation. The context must
 * be the system's.
 */
export async function testsOfSecret(
  ctx: Context,
  secret: string,
  { device, isUse }: { device: string; isUse: boolean },
): Promise<Tests | null> {
  const held = await heldBy(ctx, secret, isUse)
  const [app] = held ? await appsOf(ctx, [held.appId]) : []
  if (!held || !app) return null
  const [changed] = await ctx.db
    .select({ at: max(testVersions.updatedAt) })
    .from(testVersions)
    .where(eq(testVersions.appId, held.appId))
  const running = app.lifecycle === 'ACTIVE' ? held.tests.filter(test => (test.endAt ?? 0) > ctx.now()) : []
  const offers: TestOffer[] = []
  const pkgs = new Map(
    (
      await packagesOf(
        ctx,
        running.map(test => test.pkgId),
      )
    ).map(pkg => [pkg.pkgId, pkg]),
  )
  for (const test of running) {
    const pkg = pkgs.get(test.pkgId)
    if (!pkg || (isFull(test) && !(await hasIt(ctx, test, deviceKey(ctx, test.versionId, held, device))))) continue
    const rows = await listingsOf(ctx, test.versionId)
    const listings = rows.map(row => ({ ...row, newFeatures: test.testDesc }))
    offers.push({ version: asVersion(test), app, package: pkg, listings, countries: test.countries })
  }
  return { name: `${app.name} (test)`, changedAt: Math.max(Number(changed?.at ?? 0), held.changedAt), offers }
}

/**
 * Counts a device that fetches a test, once. False when the test is full and the device is not among those who have it;
 * the last place that is taken is told by `test.quota.reached`. The context must be the system's.
 */
export async function countTestInstall(
  ctx: Context,
  secret: string,
  versionId: string,
  device: string,
): Promise<boolean> {
  const held = await heldBy(ctx, secret, true)
  const test = held?.tests.find(one => one.versionId === versionId)
  if (!held || !test) return false
  const key = deviceKey(ctx, versionId, held, device)
  if (await hasIt(ctx, test, key)) return true
  const now = ctx.now()
  const [counted] = await ctx.db
    .update(testVersions)
    .set({ installCount: sql`${testVersions.installCount} + 1` })
    .where(
      and(
        eq(testVersions.versionId, versionId),
        sql`(${testVersions.installLimit} IS NULL OR ${testVersions.installCount} < ${testVersions.installLimit})`,
      ),
    )
    .returning()
  if (!counted) return false
  const made = await ctx.db
    .insert(testInstalls)
    .values({ versionId, device: key, teamId: test.teamId, at: now })
    .onConflictDoNothing()
    .returning({ device: testInstalls.device })
  if (made.length === 0) {
    // The same device was a moment earlier, over another connection.
    await ctx.db
      .update(testVersions)
      .set({ installCount: sql`${testVersions.installCount} - 1` })
      .where(eq(testVersions.versionId, versionId))
    return true
  }
  if (held.tester) await noteInstall(ctx, held.tester)
  if (isFull(counted)) await tellFull(ctx, counted)
  return true
}

interface Held {
  appId: string
  tester: Tester | null
  tests: TestRecord[]
  changedAt: number
}

async function heldBy(ctx: Context, secret: string, isUse: boolean): Promise<Held | null> {
  const holder = await holderOf(ctx, secret, { isUse })
  if (!holder) return null
  if (holder.kind === 'open') {
    const [test] = await ctx.db.select().from(testVersions).where(eq(testVersions.versionId, holder.versionId))
    if (test?.testType !== testTypes.open) return null
    const tests = test.state === 'TESTING' ? [test] : []
    return { appId: test.appId, tester: null, tests, changedAt: 0 }
  }
  const { appId, groupIds, changedAt } = holder
  const tests = await ctx.db
    .select()
    .from(testVersions)
    .where(
      and(
        eq(testVersions.appId, appId),
        eq(testVersions.state, 'TESTING'),
        sql`${testVersions.groupIds} && ${sql.param(groupIds)}::bigint[]`,
      ),
    )
  return { appId, tester: holder, tests, changedAt }
}

const isFull = (test: Pick<TestRecord, 'installLimit' | 'installCount'>) =>
  test.installLimit !== null && test.installCount >= test.installLimit

/** A person counts once on however many devices; of an open test the devices count. The digest is of one test alone. */
function deviceKey(ctx: Context, versionId: string, { tester }: Held, device: string): string {
  const who = tester ? `account ${tester.user.account}` : device
  return ctx.server.masterKey.sign('test device', `${versionId} ${who}`)
}

async function hasIt(ctx: Context, { versionId }: TestRecord, device: string): Promise<boolean> {
  const isThere = and(eq(testInstalls.versionId, versionId), eq(testInstalls.device, device))
  return (await ctx.db.$count(testInstalls, isThere)) > 0
}

async function tellFull(ctx: Context, { versionId, appId, teamId, installLimit }: TestRecord): Promise<void> {
  await ctx.db.update(testVersions).set({ quotaReachedAt: ctx.now() }).where(eq(testVersions.versionId, versionId))
  const data = { appId, versionId, installLimit }
  ctx.emit({ type: 'test.quota.reached', entity: 'testVersion', entityId: versionId, teamId, data })
}
