import { and, eq, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { PackageReport } from './facts.ts'
import type { PackageRecord } from './queries.ts'
import { readerGeneration, readPackage } from './readers/read-package.ts'
import { limits } from './rules.ts'
import { packageReports } from './tables.ts'

const keptMs = 30 * 86_400_000

/** What the bytes of a package say. A team's bytes are read once, whatever it makes of them. */
export async function reportFor(ctx: Context, row: PackageRecord, path: string): Promise<PackageReport> {
  // What an expansion file is, its name says: two of the same bytes may differ.
  const sha256 = row.kind === 'OBB' ? `${row.sha256} ${row.fileName}` : row.sha256
  const isSame = and(
    eq(packageReports.teamId, row.teamId),
    eq(packageReports.sha256, sha256),
    eq(packageReports.kind, row.kind),
    eq(packageReports.reader, readerGeneration),
  )
  const known = await ctx.transact(inner =>
    inner.db
      .update(packageReports)
      .set({ usedAt: ctx.now() })
      .where(isSame)
      .returning({ report: packageReports.report }),
  )
  if (known[0]) return known[0].report as PackageReport
  const { fileName, kind, teamId } = row
  const report = await readPackage(kind, path, { fileName, targetSdkFloor: limits.targetSdkFloor })
  const fresh = { report, reader: readerGeneration, usedAt: ctx.now() }
  await ctx.transact(inner =>
    inner.db
      .insert(packageReports)
      .values({ teamId, sha256, kind, ...fresh })
      .onConflictDoUpdate({
        target: [packageReports.teamId, packageReports.sha256, packageReports.kind],
        set: fresh,
        setWhere: sql`${packageReports.reader} <= ${readerGeneration}`,
      }),
  )
  return report
}

/** Reports that nobody asked for in a month go. */
export async function forgetOldReports(ctx: Context): Promise<void> {
  await ctx.db.delete(packageReports).where(lt(packageReports.usedAt, ctx.now() - keptMs))
}
