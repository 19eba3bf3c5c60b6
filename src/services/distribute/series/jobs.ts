import { eq, inArray } from 'drizzle-orm'
import type { Handover } from '../../../server/handover.ts'
import type { Work } from '../../../server/work.ts'
import { seriesMembers } from './tables.ts'

/** An app in a series stays where the others are. */
const handover: Handover = {
  stays: { app_series: 'its apps cannot go while they are in it', app_series_members: 'as the series' },
  blocks: async (ctx, appIds) => {
    const rows = await ctx.db
      .select({ appId: seriesMembers.appId })
      .from(seriesMembers)
      .where(inArray(seriesMembers.appId, [...appIds]))
    return rows.map(({ appId }) => ({ appId, block: 'IN_SERIES' }))
  },
}

export default {
  handover,
  listeners: [
    {
      name: 'series.purge',
      on: ['app.purged'],
      run: async (ctx, event) => {
        await ctx.db.delete(seriesMembers).where(eq(seriesMembers.appId, event.entityId))
      },
    },
  ],
} satisfies Work
