import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { AppRow } from '../apps/public.ts'
import type { PackageRow } from '../packages/public.ts'
import { actualOf } from './answer.ts'
import { dclTypes, differencesOf } from './rules.ts'
import { recordals } from './tables.ts'

/** Why an app may not go to China: it filed nothing, is being checked, or its filing does not fit. */
export type RecordalGap = 'MISSING' | 'CHECKING' | 'MISMATCH' | 'NOT_FOUND' | 'EXPIRED'

/**
 * What of its filing keeps an app from mainland China with this package; null when nothing does, when it does not go there or
 * has no network to reach. A filing that fitted an older package is compared with this one. The caller has checked the app.
 */
export async function recordalGap(
  ctx: Context,
  app: AppRow,
  pkg: PackageRow | undefined,
  countries: readonly string[],
): Promise<RecordalGap | null> {
  if (!countries.includes('CN') || !pkg) return null
  const actual = actualOf(app, pkg)
  if (!actual.isNetworked) return null
  const [row] = await ctx.db.select().from(recordals).where(eq(recordals.appId, app.appId))
  if (!row || row.state === 'NONE') return 'MISSING'
  if (row.state !== 'MATCH') return row.state
  if (row.dclType === dclTypes.OFFLINE || !row.features) return 'MISMATCH'
  return differencesOf(row.features, actual).length > 0 ? 'MISMATCH' : null
}
