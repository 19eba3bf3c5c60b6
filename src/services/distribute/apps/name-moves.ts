import { and, eq, ne, sql } from 'drizzle-orm'
import type { ZoneId } from '../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Event } from '../../../server/work.ts'
import { type AppRecord, mine } from './queries.ts'
import { isPackageName, type PackageType } from './rules.ts'
import { packageNames } from './tables.home.ts'
import { apps } from './tables.ts'

/** What `claim.granted` carries. */
interface Granted {
  packageName: string
  appId: string
  zone: ZoneId
  holderAppId: string | null
  holderZone: ZoneId | null
}

/** A claimed name moves: to the claimant's app first, then away from the holder's, each in its own zone. */
export async function moveClaimedName(ctx: Context, event: Event): Promise<void> {
  const { packageName, appId, zone, holderAppId, holderZone } = event.data as unknown as Granted
  const inZone = (of: ZoneId) => systemContext(ctx.server, of, { name: 'apps: claimed name' })
  const isMoved = await inZone(zone).transact(inner => giveName(inner, appId, packageName, holderAppId))
  if (!isMoved || holderAppId === null || holderZone === null) return
  await inZone(holderZone).transact(async inner => {
    const holder = await alive(inner, holderAppId)
    if (holder?.packageName?.toLowerCase() === packageName.toLowerCase()) await nameRow(inner, holderAppId, null)
  })
}

/** False when the app is gone, cannot have such a name, or somebody else than the holder has it by now. */
async function giveName(
  ctx: Context,
  appId: string,
  packageName: string,
  holderAppId: string | null,
): Promise<boolean> {
  const app = await alive(ctx, appId)
  if (!app || !isPackageName(app.packageType as PackageType, packageName)) return false
  const { teamId, packageType } = app
  const now = ctx.now()
  const own = { packageName, appId, holderTeamId: teamId, zone: ctx.zone, reservedUntil: null, createdAt: now }
  const isStill = sql`${packageNames.appId} = ${holderAppId ?? appId} OR ${packageNames.appId} = ${appId}`
  const moved = await ctx.home
    .insert(packageNames)
    .values({ packageType, nameKey: packageName.toLowerCase(), ...own })
    .onConflictDoUpdate({ target: [packageNames.packageType, packageNames.nameKey], set: own, setWhere: isStill })
    .returning({ appId: packageNames.appId })
  if (moved.length === 0) return false
  // One app has one name: the name it had before is free again.
  const isBefore = and(eq(packageNames.appId, appId), ne(packageNames.nameKey, packageName.toLowerCase()))
  await ctx.home.delete(packageNames).where(isBefore)
  await nameRow(ctx, appId, packageName)
  return true
}

async function alive(ctx: Context, appId: string): Promise<AppRecord | undefined> {
  const [app] = await ctx.db
    .select()
    .from(apps)
    .where(and(eq(apps.appId, appId), mine(ctx)))
    .for('update')
  return app
}

async function nameRow(ctx: Context, appId: string, packageName: string | null): Promise<void> {
  const [row] = await ctx.db
    .update(apps)
    .set({
      packageName,
      packageNameSettled: false,
      packageNameChosen: packageName !== null,
      updatedAt: ctx.now(),
      revision: sql`${apps.revision} + 1`,
    })
    .where(eq(apps.appId, appId))
    .returning({ teamId: apps.teamId })
  if (!row) return
  ctx.emit({ type: 'app.updated', entity: 'app', entityId: appId, teamId: row.teamId, data: { packageName } })
}
