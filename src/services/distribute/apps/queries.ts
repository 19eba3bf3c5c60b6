import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import { apps as contract } from './contract.ts'
import { reservationMs } from './rules.ts'
import { packageNames } from './tables.home.ts'
import { apps } from './tables.ts'

export type AppRecord = typeof apps.$inferSelect

/** Rows the caller may see: the team's own for a user, all for staff and workers; deleted ones for nobody. */
export function mine(ctx: Context): SQL {
  const alive = ne(apps.state, 'DELETED')
  const isOfTeam = ctx.caller.kind === 'user' && ctx.place.teamId !== null
  return (isOfTeam ? and(eq(apps.teamId, ctx.teamId), alive, ctx.withinScope(apps)) : alive) as SQL
}

/** What each page of an app asks first. */
const appOfTeam = planned(db =>
  db
    .select()
    .from(apps)
    .where(
      and(
        eq(apps.appId, sql.placeholder('appId')),
        eq(apps.teamId, sql.placeholder('teamId')),
        ne(apps.state, sql.raw(`'DELETED'`)),
      ),
    ),
)

async function selectApp(ctx: Context, appId: string, lock?: 'update'): Promise<AppRecord[]> {
  const query = ctx.db
    .select()
    .from(apps)
    .where(and(eq(apps.appId, appId), mine(ctx)))
  return lock ? query.for(lock) : query
}

/** Nobody of the team changes what was made to be looked at. */
export function mustNotBeDemo(ctx: Context, app: AppRecord): void {
  if (app.demo !== null && ctx.caller.kind === 'user') refuse(commonErrors.demoReadOnly, { appId: app.appId })
}

export async function loadApp(ctx: Context, appId: string, lock?: 'update'): Promise<AppRecord> {
  const isPlain = !lock && ctx.caller.kind === 'user' && ctx.place.teamId !== null && !ctx.withinScope(apps)
  const [app] = isPlain
    ? await appOfTeam(ctx.transaction(ctx.zone), { appId, teamId: ctx.teamId })
    : await selectApp(ctx, appId, lock)
  if (!app) refuse(commonErrors.notFound, { entity: 'app', id: appId })
  if (lock) mustNotBeDemo(ctx, app)
  return app
}

/** Who holds a package name; null when nobody does, or did until the reservation ran out. */
export async function holderOf(ctx: Context, packageType: string, packageName: string) {
  const [row] = await ctx.home
    .select()
    .from(packageNames)
    .where(and(eq(packageNames.packageType, packageType), eq(packageNames.nameKey, packageName.toLowerCase())))
  if (!row || (row.reservedUntil !== null && row.reservedUntil <= ctx.now())) return null
  return row
}

/**
 * Takes the package name for the app: free, or the app's own, or left over from a deleted app of the same team. One
 * statement, so of two teams that want one name exactly one gets it.
 */
export async function claimPackageName(
  ctx: Context,
  app: { appId: string; teamId: string; packageType: string },
  packageName: string,
): Promise<void> {
  const now = ctx.now()
  await ctx.home
    .delete(packageNames)
    .where(and(eq(packageNames.appId, app.appId), ne(packageNames.nameKey, packageName.toLowerCase())))
  const taken = await ctx.home
    .insert(packageNames)
    .values({
      packageType: app.packageType,
      nameKey: packageName.toLowerCase(),
      packageName,
      appId: app.appId,
      holderTeamId: app.teamId,
      zone: ctx.zone,
      reservedUntil: null,
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: [packageNames.packageType, packageNames.nameKey],
      set: {
        packageName,
        appId: app.appId,
        holderTeamId: app.teamId,
        zone: ctx.zone,
        reservedUntil: null,
        createdAt: now,
      },
      setWhere: sql`${packageNames.appId} = ${app.appId}
        OR ${packageNames.reservedUntil} <= ${now}
        OR (${packageNames.reservedUntil} IS NOT NULL AND ${packageNames.holderTeamId} = ${app.teamId})`,
    })
    .returning({ appId: packageNames.appId })
  if (taken.length === 0) await refuseTaken(ctx, app.packageType, packageName)
}

/** Refuses with the reason why a name cannot be had. */
export async function refuseTaken(ctx: Context, packageType: string, packageName: string): Promise<never> {
  const holder = await holderOf(ctx, packageType, packageName)
  if (holder?.reservedUntil) {
    refuse(contract.errors.packageNameReserved, {
      packageName,
      until: new Date(holder.reservedUntil).toISOString(),
      reservedUntil: holder.reservedUntil,
    })
  }
  refuse(contract.errors.packageNameTaken, { packageName })
}

/** After an app was deleted its name stays reserved for a while. */
export async function reservePackageName(ctx: Context, appId: string): Promise<void> {
  await ctx.home
    .update(packageNames)
    .set({ reservedUntil: ctx.now() + reservationMs })
    .where(eq(packageNames.appId, appId))
}
