import { inArray } from 'drizzle-orm'
import type { Handover } from '../../../server/handover.ts'
import { packageNames } from './tables.home.ts'
import { apps } from './tables.ts'

/** The app itself: whose it is, its project, and its name in the whole store. */
export const appsHandover: Handover = {
  rows: [{ table: 'apps', files: ['icon_object_id'] }],
  stays: { non_ag_apps: 'what the team has elsewhere' },
  zone: async (ctx, { appIds, toProjectId }) => {
    await ctx.db.update(apps).set({ projectId: toProjectId, updatedAt: ctx.now() }).where(inArray(apps.appId, appIds))
    await ctx.transaction(ctx.zone).query({
      text: 'UPDATE apps SET revision = revision + 1 WHERE app_id = ANY($1::bigint[])',
      values: [appIds],
    })
  },
  home: async (ctx, { appIds, toTeamId }) => {
    await ctx.home.update(packageNames).set({ holderTeamId: toTeamId }).where(inArray(packageNames.appId, appIds))
  },
}
