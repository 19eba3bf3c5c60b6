import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { type AppRow, appInScope, appOf, lockApp } from '../apps/public.ts'
import { uploadCertificateOf } from '../signing/public.ts'
import { missingDevices, type Relations } from './rules.ts'
import { packages } from './tables.ts'

export type PackageRecord = typeof packages.$inferSelect

/** Rows the caller may see: the team's own for a user, all for staff and workers. */
export function mine(ctx: Context): SQL | undefined {
  return ctx.caller.kind === 'user' && ctx.place.teamId !== null
    ? and(eq(packages.teamId, ctx.teamId), appInScope(ctx, packages.appId))
    : undefined
}

/** Which apps' packages a family of calls is about: `ATOMIC_SERVICE` for those below `/ascf`, null for all. */
export type Scope = 'ATOMIC_SERVICE' | null

export function within(scope: Scope): SQL | undefined {
  return scope === null ? undefined : eq(packages.packageType, scope)
}

/** The app, if it is the caller's and of the scope. Refuses 404. */
export async function appWithin(ctx: Context, appId: string, scope: Scope, isLocked = false): Promise<AppRow> {
  const app = await (isLocked ? lockApp : appOf)(ctx, appId)
  if (scope !== null && app.packageType !== scope) refuse(commonErrors.notFound, { entity: 'app', id: appId })
  return app
}

/** The package, locked until the transaction ends where asked. Refuses 404. */
export async function loadPackage(
  ctx: Context,
  pkgId: string,
  options: { lock?: 'update'; scope?: Scope } = {},
): Promise<PackageRecord> {
  const { lock, scope = null } = options
  const query = ctx.db
    .select()
    .from(packages)
    .where(and(eq(packages.pkgId, pkgId), mine(ctx), within(scope)))
  const [found] = lock ? await query.for(lock) : await query
  return found ?? refuse(commonErrors.notFound, { entity: 'package', id: pkgId })
}

/** The files that were made of an upload: its icon, and what devices get. */
export function madeBefore({ iconObjectId, installable, splits, splitSet }: PackageRecord): string[] {
  return [iconObjectId, installable?.objectId ?? null, ...[...splits, ...splitSet].map(one => one.objectId)].filter(
    id => id !== null,
  )
}

/** What the rules compare a package with. The signer must stay that of what was on shelf last, even if it came off. */
export async function relationsOf(ctx: Context, app: AppRow, found: PackageRecord): Promise<Relations> {
  const { packageName: expectedName } = app
  return {
    found,
    expectedName,
    onShelf: await shelfSigning(ctx, app),
    sameCode: await sameCodeOf(ctx, found),
    missingDevices: found.details.harmony ? missingDevices(app.deviceTypes, found.deviceTypes) : [],
    upload: found.uploadSigners.length > 0 && !found.rebuiltFrom ? await otherUploader(ctx, found) : null,
    expansion: found.details.expansion ? await expansionOf(ctx, found) : null,
  }
}

async function sameCodeOf(ctx: Context, { appId, pkgId, versionCode }: PackageRecord): Promise<Relations['sameCode']> {
  if (versionCode === null) return null
  const isSame = and(eq(packages.appId, appId), eq(packages.versionCode, versionCode), ne(packages.pkgId, pkgId))
  const [same] = await ctx.db
    .select({ pkgId: packages.pkgId, fileName: packages.fileName })
    .from(packages)
    .where(and(isSame, eq(packages.state, 'READY')))
  return same ?? null
}

async function shelfSigning(ctx: Context, { appId, lastShelf }: AppRow): Promise<Relations['onShelf']> {
  if (!lastShelf) return null
  const [shelved] =
    lastShelf.pkgId === null
      ? []
      : await ctx.db
          .select({ signers: packages.signers })
          .from(packages)
          .where(and(eq(packages.pkgId, lastShelf.pkgId), eq(packages.appId, appId)))
  return { versionCode: lastShelf.versionCode, signers: shelved?.signers ?? lastShelf.signers }
}

async function otherUploader(ctx: Context, found: PackageRecord): Promise<Relations['upload']> {
  const { uploadSigners } = found
  const expected = await uploadCertificateOf(ctx, found)
  if (expected === null || uploadSigners.includes(expected)) return null
  return { expected, found: uploadSigners.join(', ') }
}

async function expansionOf(ctx: Context, found: PackageRecord): Promise<Relations['expansion']> {
  const { slot = 'main', versionCode = '0', packageName = '' } = found.details.expansion ?? {}
  const isReady = and(eq(packages.appId, found.appId), eq(packages.state, 'READY'), ne(packages.pkgId, found.pkgId))
  const [apk] = await ctx.db
    .select({ pkgId: packages.pkgId })
    .from(packages)
    .where(and(isReady, eq(packages.versionCode, versionCode), eq(packages.packageName, packageName)))
  const wanted = JSON.stringify({ expansion: { slot, versionCode } })
  const [taken] = await ctx.db
    .select({ fileName: packages.fileName })
    .from(packages)
    .where(and(isReady, eq(packages.kind, 'OBB'), sql`${packages.details} @> ${wanted}::jsonb`))
  return { slot, versionCode, packageName, hasApk: apk !== undefined, takenBy: taken?.fileName ?? null }
}
