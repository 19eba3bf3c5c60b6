import { eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Handover } from '../../../server/handover.ts'
import { resealKey } from './keys.ts'
import { signingProfiles } from './tables.ts'

/** The keys go with the app, sealed anew; nothing that the old team could have kept opens them. */
export const signingHandover: Handover = {
  rows: [{ table: 'app_signing_keys' }, { table: 'signing_held_keys' }, { table: 'signing_upload_certs' }],
  zone: async (ctx, { appIds, fromTeamId, toTeamId }) => {
    if (fromTeamId !== toTeamId) await resealKeys(ctx, appIds)
  },
}

async function resealKeys(ctx: Context, appIds: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .select()
    .from(signingProfiles)
    .where(inArray(signingProfiles.appId, [...appIds]))
    .for('update')
  for (const { appId, sealedKey, olderKeys } of rows) {
    await ctx.db
      .update(signingProfiles)
      .set({
        sealedKey: sealedKey === null ? null : resealKey(ctx, appId, sealedKey),
        olderKeys: olderKeys.map(key => ({ ...key, sealedKey: resealKey(ctx, appId, key.sealedKey) })),
        updatedAt: ctx.now(),
      })
      .where(eq(signingProfiles.appId, appId))
  }
}
