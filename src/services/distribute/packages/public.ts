import { and, eq, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { VersionWords } from './bundle/forward-manifest.ts'
import { rebuildBundle } from './bundle/rebuild.ts'
import { differenceBetween, type PackageDifference } from './difference/rules.ts'
import { type Inside, readInside } from './inside/inside.ts'
import { eachJudged, judgedOf } from './judged.ts'
import { loadPackage, mine } from './queries.ts'
import { isSignerProven } from './rules.ts'
import { packages } from './tables.ts'
import type { Judged } from './trust/judging.ts'

export type { PackageDifference } from './difference/rules.ts'
export type { Inside } from './inside/inside.ts'

/**
 * A package as other services see it: of a bundle, and of an APK that the store signs, `objectId`, `fileName`, `sizeBytes`
 * and `sha256` are those of the APK that was made of it, which is what devices get. What its bytes say is null or empty until it is parsed; `versionCode` is a decimal
 * string, digests are lower-case hex, `signers` and `lineage` are SHA-256 digests of certificates (`lineage` oldest
 * first, the signer's own included, empty without rotation).
 */
export type PackageRow = Omit<Judged, 'holdCount'>

/** The package of the caller's team (any team for staff and workers). Refuses 404. */
export async function packageOf(ctx: Context, pkgId: string): Promise<PackageRow> {
  return asInstalled(await judgedOf(ctx, await loadPackage(ctx, pkgId)))
}

/** Devices install what was made of the upload, so that is what other services hand out. */
function asInstalled(row: Judged): PackageRow {
  return { ...row, ...row.installable }
}

/** Those of the packages that exist and are the caller's; in no order. What the operator's roots and the store's own signature say of who signed is among their findings. */
export async function packagesOf(ctx: Context, pkgIds: readonly string[]): Promise<PackageRow[]> {
  if (pkgIds.length === 0) return []
  const rows = await ctx.db
    .select()
    .from(packages)
    .where(and(inArray(packages.pkgId, [...new Set(pkgIds)]), mine(ctx)))
  return (await eachJudged(ctx, rows)).map(asInstalled)
}

/** A version refers to it from now on: it cannot be deleted until as many releases followed. Refuses 404. */
export async function holdPackage(ctx: Context, pkgId: string): Promise<void> {
  const held = await ctx.db
    .update(packages)
    .set({ holdCount: sql`${packages.holdCount} + 1`, freeSince: null })
    .where(and(eq(packages.pkgId, pkgId), mine(ctx)))
    .returning({ pkgId: packages.pkgId })
  if (held.length === 0) refuse(commonErrors.notFound, { entity: 'package', id: pkgId })
}

/** Takes back one hold; a package that is gone or not held is left as it is. */
export async function releasePackage(ctx: Context, pkgId: string): Promise<void> {
  await ctx.db
    .update(packages)
    .set({
      holdCount: sql`greatest(${packages.holdCount} - 1, 0)`,
      freeSince: sql`CASE WHEN ${packages.holdCount} <= 1 THEN ${ctx.now()}::bigint END`,
    })
    .where(and(eq(packages.pkgId, pkgId), mine(ctx)))
}

/** What changes when `pkgId` takes the place of `otherPkgId`. Refuses 404 when either is not the caller's. */
export async function differenceOf(ctx: Context, pkgId: string, otherPkgId: string): Promise<PackageDifference> {
  const [from, to] = [await packageOf(ctx, otherPkgId), await packageOf(ctx, pkgId)]
  return differenceBetween(from, to, {
    isSame: isSignerProven(from, { signers: to.signers, lineage: [] }),
    isProven: isSignerProven(from, to),
  })
}

/**
 * Begins to make a bundle that the store signs again under another version; `package.ready` or `package.failed` tells of the
 * package it answers. Refuses 404.
 */
export async function rebuildPackage(
  ctx: Context,
  pkgId: string,
  words: VersionWords,
): Promise<{ pkgId: string; taskId: string }> {
  return rebuildBundle(ctx, pkgId, words)
}

/**
 * What the bytes of an Android package say beyond what its row keeps: the manifest as XML, who guards its components, keys
 * left inside, how its libraries are built. Null for other kinds, and for a file that is no archive. The caller has the
 * package by `packageOf` or has held its bytes since; no transaction is open while the file is read.
 */
export async function insideOf(
  ctx: Context,
  pkg: Pick<PackageRow, 'kind' | 'sha256'> & { installable: unknown },
  signal?: AbortSignal,
): Promise<Inside | null> {
  if (pkg.kind !== 'APK' && !(pkg.kind === 'AAB' && pkg.installable)) return null
  const file = await ctx.server.bytes(ctx.zone).localFile(pkg.sha256)
  try {
    return await readInside(file.path, signal)
  } finally {
    await file.release()
  }
}
