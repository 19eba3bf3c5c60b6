import type { Context } from '../../../../server/context.ts'
import type { AppRow } from '../../apps/public.ts'
import { packagesOf } from '../../packages/public.ts'
import { qualificationGaps } from '../../qualification/public.ts'
import { recordalGap } from '../../recordal/public.ts'
import { blockedWordIn, screenshotRuleOf } from '../listing/rules.ts'
import { highestShelfCode, listingsOf, type VersionRecord } from '../queries.ts'
import { isReleaseTime } from '../rules.ts'
import { isCountedRename, renamesLeft, takenNames } from '../shelf-names.ts'
import type { ReadinessFacts } from './rules.ts'
import { submitterOf } from './submitter.ts'

/** App types that are a store page without a package. */
const withoutPackage: readonly string[] = ['NO_PACKAGE', 'WEB']

/** Gathers what the readiness rules look at: a handful of queries, whatever the number of languages. */
export async function readinessFacts(ctx: Context, app: AppRow, version: VersionRecord): Promise<ReadinessFacts> {
  const shelfPkgId = app.lastShelf?.pkgId ?? null
  const packages = await packagesOf(
    ctx,
    [version.pkgId, shelfPkgId].filter(id => id !== null),
  )
  const pkg = packages.find(one => one.pkgId === version.pkgId)
  const rows = await listingsOf(ctx, version.versionId)
  const names = rows.filter(row => row.appName.trim() !== '').map(({ lang, appName }) => ({ lang, appName }))
  const standardName = names.find(one => one.lang === app.defaultLang)?.appName ?? ''
  const now = ctx.now()
  return {
    now,
    appId: app.appId,
    versionId: version.versionId,
    submitter: await submitterOf(ctx),
    needsPackage: !withoutPackage.includes(app.packageType),
    kindMainTag: app.kindMainTag,
    deviceTypes: app.deviceTypes,
    defaultLang: app.defaultLang,
    appPackageName: app.packageName,
    package: pkg
      ? {
          pkgId: pkg.pkgId,
          state: pkg.state,
          isTestOnly: pkg.usage === 'TEST_ONLY',
          packageName: pkg.packageName,
          versionCode: pkg.versionCode,
          targetSdk: pkg.targetSdk,
          sizeBytes: pkg.sizeBytes,
          failures: pkg.findings.filter(one => one.severity === 'BLOCK').map(one => one.detail),
        }
      : null,
    shelf: app.lastShelf
      ? {
          pkgId: shelfPkgId,
          maxVersionCode: greater(app.lastShelf.versionCode, await highestShelfCode(ctx, app.appId, version.versionId)),
          sizeBytes: packages.find(one => one.pkgId === shelfPkgId)?.sizeBytes ?? null,
        }
      : null,
    countries: version.countries,
    privacyPolicyUrl: version.privacyPolicyUrl,
    releaseMode: version.releaseMode,
    onShelfTime: version.onShelfTime,
    isReleaseTimeRight: version.onShelfTime !== null && isReleaseTime(version.onShelfTime, now),
    loginRequired: version.loginRequired,
    hasTestAccount: version.testAccount.trim() !== '' && version.testPasswordSealed !== null,
    listings: rows.map(row => ({
      ...row,
      hasIcon: row.icon !== null,
      screenshots: row.screenshots.map(one => ({ deviceType: one.deviceType, count: one.images.length })),
    })),
    screenshotsNeeded: app.deviceTypes.map(deviceType => {
      const { min, max } = screenshotRuleOf(deviceType)
      return { deviceType, min, max }
    }),
    takenNames: await takenNames(ctx, app.appId, names, version.countries),
    blockedNames: names.flatMap(one => {
      const word = blockedWordIn(one.appName)
      return word === null ? [] : [{ ...one, word }]
    }),
    recordalGap: await recordalGap(ctx, app, pkg, version.countries),
    qualificationGaps: await qualificationGaps(ctx, app, version.countries),
    renamesLeft: isCountedRename(app, standardName, version.countries) ? await renamesLeft(ctx, app.appId) : null,
  }
}

function greater(a: string, b: string | null): string {
  return b !== null && BigInt(b) > BigInt(a) ? b : a
}
