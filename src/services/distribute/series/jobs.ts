import { eq, inArray } from 'drizzle-orm'
import type { Handover } from '../../../server/handover.ts'
import type { Work } from '../../../server/work.ts'
import { startDue } from './cutover/moves.ts'
import { tellOfCutover } from './cutover/notices.ts'
import { seriesMembers } from './tables.ts'

/** An app in a series stays where the others are. */
const handover: Handover = {
  stays: {
    app_series: 'its apps cannot go while they are in it',
    app_series_members: 'as the series',
    app_series_cutovers: 'as the series',
  },
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
    { name: 'series.cutovers', on: ['cutover.started', 'cutover.canceled'], run: tellOfCutover },
    {
      name: 'series.purge',
      on: ['app.purged'],
      run: async (ctx, event) => {
        await ctx.db.delete(seriesMembers).where(eq(seriesMembers.appId, event.entityId))
      },
    },
  ],
  sweeps: [{ name: 'series.cutovers', every: '*/30 * * * * *', database: 'zone', run: startDue }],
} satisfies Work
