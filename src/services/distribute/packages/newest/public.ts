import { and, desc, eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { type PackageRow, packageOf } from '../public.ts'
import { packages } from '../tables.ts'

/** The package of the app that was accepted last, or null. The caller has checked that the app is his. */
export async function newestPackageOf(ctx: Context, appId: string): Promise<PackageRow | null> {
  const [found] = await ctx.db
    .select({ pkgId: packages.pkgId })
    .from(packages)
    .where(and(eq(packages.appId, appId), eq(packages.state, 'READY')))
    .orderBy(desc(packages.pkgId))
    .limit(1)
  return found ? packageOf(ctx, found.pkgId) : null
}
