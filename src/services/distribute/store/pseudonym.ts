import type { Server } from '../../../server/server.ts'

/** A device as one version knows it: nobody can tell by it that two versions, apps or teams have the same device. */
export function deviceOfVersion(server: Server, versionId: string, deviceId: string): string {
  return server.masterKey.sign('store device', `${versionId} ${deviceId}`).slice(0, 22)
}

/** A user as the apps of one team know him; to another team he is another. */
export function userOfTeam(server: Server, teamId: string, userIdHash: string): string {
  return server.masterKey.sign('store user', `${teamId} ${userIdHash}`)
}
