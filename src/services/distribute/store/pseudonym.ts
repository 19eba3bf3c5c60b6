import { networkOf } from '../../../server/network.ts'
import type { Server } from '../../../server/server.ts'
import { dayOf } from './rules.ts'

/** A device as one version knows it: nobody can tell by it that two versions, apps or teams have the same device. */
export function deviceOfVersion(server: Server, versionId: string, deviceId: string): string {
  return server.masterKey.sign('store device', `${versionId} ${deviceId}`).slice(0, 22)
}

/** A user as the apps of one team know him; to another team he is another. */
export function userOfTeam(server: Server, teamId: string, userIdHash: string): string {
  return server.masterKey.sign('store user', `${teamId} ${userIdHash}`)
}

/** A device as one app knows it. */
export function deviceOfApp(server: Server, appId: string, deviceId: string): string {
  return server.masterKey.sign('store installation', `${appId} ${deviceId}`).slice(0, 22)
}

/** The secret of a device for one app. */
export function secretOfApp(server: Server, appId: string, deviceId: string, secret: string): string {
  return server.masterKey.sign('store device secret', `${appId} ${deviceId} ${secret}`)
}

/** A network on one UTC day, for counting alone: the day after it is another. */
export function networkOfDay(server: Server, appId: string, ip: string | null, now: number): string {
  return server.masterKey.sign('store network', `${appId} ${networkOf(ip)} ${dayOf(now)}`).slice(0, 22)
}
