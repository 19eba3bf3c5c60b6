import { and, eq, isNull } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { gatheredInstallations, memoryOf } from './memory.ts'
import { deviceOfApp, networkOfDay, secretOfApp } from './pseudonym.ts'
import { storeInstallations } from './tables.ts'

/** An app that the store shows. */
export interface ShownApp {
  appId: string
  teamId: string
  zone: ZoneId
  developerName: string | null
}

/** The app that the store shows under a package name, from memory. Refuses 404, also where its zone is not reached here. */
export async function shownApp(server: Server, packageName: string): Promise<ShownApp> {
  const { shelf } = memoryOf(server)
  if (shelf.isBehind) await shelf.catchUp()
  const version = shelf.app(packageName)?.versions[0]
  if (!version || !server.pools.has(version.zone)) refuse(commonErrors.notFound, { entity: 'app', id: packageName })
  const { appId, teamId, zone, developerName } = version
  return { appId, teamId, zone, developerName }
}

/** What a device reported of an app. */
export interface Installation {
  /** A keyed digest, of this app alone. */
  device: string
  versionId: string
  versionCode: string
  versionName: string
}

/**
 * What a device reported of an app, in the zone of the app; `none` where it never reported an installation, `other`
 * where the secret is not that of the device. The first secret that is sent becomes the device's.
 */
export async function installationOf(
  ctx: Context,
  appId: string,
  { deviceId, deviceSecret }: { deviceId: string; deviceSecret: string },
): Promise<Installation | 'none' | 'other'> {
  await ctx.server.gathered.write(gatheredInstallations)
  const device = deviceOfApp(ctx.server, appId, deviceId)
  const secret = secretOfApp(ctx.server, appId, deviceId, deviceSecret)
  const own = and(eq(storeInstallations.appId, appId), eq(storeInstallations.device, device))
  await ctx.db
    .update(storeInstallations)
    .set({ secret })
    .where(and(own, isNull(storeInstallations.secret)))
  const [row] = await ctx.db.select().from(storeInstallations).where(own)
  if (!row) return 'none'
  if (row.secret !== secret) return 'other'
  const { versionId, versionCode, versionName } = row
  return { device, versionId, versionCode, versionName }
}

/** Counts stars that a device gave elsewhere, as if it had reported them: release gates go by them. */
export function countStars(server: Server, deviceId: string, versionId: string, stars: number): void {
  memoryOf(server).health.add(deviceId, [{ type: 'rate', versionId, stars }], server.clock.now())
}

/** A network on one UTC day as a digest of one app, for counting what comes from it. */
export function networkOfCaller(ctx: Context, appId: string): string {
  return networkOfDay(ctx.server, appId, ctx.place.ip, ctx.now())
}

/** A device as one app knows it: a keyed digest. */
export function deviceDigest(server: Server, appId: string, deviceId: string): string {
  return deviceOfApp(server, appId, deviceId)
}
