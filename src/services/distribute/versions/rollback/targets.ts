import { and, desc, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { packagesOf } from '../../packages/public.ts'
import type { VersionRecord } from '../queries.ts'
import { phasedReleases, versionCodes, versions } from '../tables.ts'
import { forwardName, isRecentEnough, isSameSigner, rollbackLimits } from './rules.ts'

const mostCandidates = 50

/**
 * Versions of the app that were full on shelf and left it not too long ago, the last to leave first. What only some devices
 * ever had is none.
 */
export async function candidatesOf(ctx: Context, bad: VersionRecord, only?: string): Promise<VersionRecord[]> {
  const { versionId, state, endedAt } = phasedReleases
  const wasFull = sql`NOT EXISTS (SELECT 1 FROM ${phasedReleases} WHERE ${versionId} = ${versions.versionId}
    AND ${state} = 'CANCEL' AND ${endedAt} >= ${versions.onShelfAt})`
  const rows = await ctx.db
    .select()
    .from(versions)
    .where(
      and(
        eq(versions.appId, bad.appId),
        eq(versions.state, 'SUPERSEDED'),
        wasFull,
        only === undefined ? undefined : eq(versions.versionId, only),
      ),
    )
    .orderBy(desc(versions.offShelfAt), desc(versions.versionId))
    .limit(mostCandidates)
  return rows.filter(one => isRecentEnough(one.offShelfAt, ctx.now()))
}

/** Whether copies of the bad version are updated by each of the others: told by the certificates. */
export async function fitsFor(ctx: Context, bad: VersionRecord, others: readonly VersionRecord[]) {
  const ids = [bad, ...others].map(one => one.pkgId).filter(id => id !== null)
  const signers = new Map((await packagesOf(ctx, [...new Set(ids)])).map(pkg => [pkg.pkgId, pkg.signers]))
  const signersOf = ({ pkgId }: VersionRecord) => signers.get(pkgId ?? '') ?? []
  return (other: VersionRecord) => isSameSigner(signersOf(bad), signersOf(other))
}

/** Whether the store holds the key and the bundle of a version, so that it can make it again under that code. */
export async function isRebuildable(ctx: Context, target: VersionRecord | undefined, versionCode: string) {
  if (BigInt(versionCode) > rollbackLimits.highestCode) return false
  const [pkg] = await packagesOf(ctx, target?.pkgId == null ? [] : [target.pkgId])
  return pkg?.kind === 'AAB' && pkg.installable !== null
}

/** Under which code, name and certificates an older build would have to come again, so that it installs over the bad one. */
export async function forwardOf(ctx: Context, bad: VersionRecord, target: VersionRecord | undefined) {
  const [pkg] = await packagesOf(ctx, bad.pkgId === null ? [] : [bad.pkgId])
  const [next] = await ctx.db
    .select({
      versionCode: sql<string>`greatest(coalesce(max(${versionCodes.versionCode}), 0), ${bad.versionCode ?? '0'}::bigint) + 1`,
    })
    .from(versionCodes)
    .where(eq(versionCodes.appId, bad.appId))
  return {
    kind: pkg?.kind ?? 'no package',
    forward: {
      versionCode: next?.versionCode ?? '1',
      versionName: target?.versionName ? forwardName(target.versionName) : null,
      signers: pkg?.signers ?? [],
    },
  }
}
