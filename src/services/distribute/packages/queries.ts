import { and, eq, ne, type SQL } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { AppRow } from '../apps/public.ts'
import type { Relations, Signing } from './rules.ts'
import { packages } from './tables.ts'

export type PackageRecord = typeof packages.$inferSelect

/** Rows the caller may see: the team's own for a user, all for staff and workers. */
export function mine(ctx: Context): SQL | undefined {
  return ctx.caller.kind === 'user' && ctx.place.teamId !== null ? eq(packages.teamId, ctx.teamId) : undefined
}

/** The package, locked until the transaction ends where asked. Refuses 404. */
export async function loadPackage(ctx: Context, pkgId: string, lock?: 'update'): Promise<PackageRecord> {
  const query = ctx.db
    .select()
    .from(packages)
    .where(and(eq(packages.pkgId, pkgId), mine(ctx)))
  const [found] = lock ? await query.for(lock) : await query
  return found ?? refuse(commonErrors.notFound, { entity: 'package', id: pkgId })
}

/** What the rules compare a package with. The signer must stay that of what was on shelf last, even if it came off. */
export async function relationsOf(
  ctx: Context,
  app: AppRow,
  found: Signing & { pkgId: string; packageName: string | null; versionCode: string | null },
): Promise<Relations> {
  const { packageName: expectedName, lastShelf } = app
  const [sameCode] =
    found.versionCode === null
      ? []
      : await ctx.db
          .select({ pkgId: packages.pkgId, fileName: packages.fileName })
          .from(packages)
          .where(
            and(
              eq(packages.appId, app.appId),
              eq(packages.versionCode, found.versionCode),
              eq(packages.state, 'READY'),
              ne(packages.pkgId, found.pkgId),
            ),
          )
  if (!lastShelf) return { found, expectedName, onShelf: null, sameCode: sameCode ?? null }
  const [shelved] =
    lastShelf.pkgId === null
      ? []
      : await ctx.db
          .select({ signers: packages.signers })
          .from(packages)
          .where(and(eq(packages.pkgId, lastShelf.pkgId), eq(packages.appId, app.appId)))
  const onShelf = { versionCode: lastShelf.versionCode, signers: shelved?.signers ?? lastShelf.signers }
  return { found, expectedName, onShelf, sameCode: sameCode ?? null }
}
