import { inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Handover } from '../../../server/handover.ts'
import { profileDevices, profiles } from './tables.ts'

/** Certificates are of the company that has the keys: the new team makes its own, and profiles with them. */
export const harmonyHandover: Handover = {
  stays: {
    harmony_certs: 'their keys stay with the team that made them',
    harmony_devices: 'the devices are of the old team',
    harmony_device_limits: 'what the store lets a team have',
    harmony_profiles: 'they name a certificate of the old team, so those of the app are deleted',
    harmony_profile_devices: 'as the profiles',
  },
  zone: async (ctx, { appIds, fromTeamId, toTeamId }) => {
    if (fromTeamId !== toTeamId) await dropProfiles(ctx, appIds)
  },
}

/** Deletes the profiles of apps. */
export async function dropProfiles(ctx: Context, appIds: readonly string[]): Promise<void> {
  const gone = await ctx.db
    .delete(profiles)
    .where(inArray(profiles.appId, [...appIds]))
    .returning({ profileId: profiles.profileId })
  if (gone.length === 0) return
  const ids = gone.map(row => row.profileId)
  await ctx.db.delete(profileDevices).where(inArray(profileDevices.profileId, ids))
}
