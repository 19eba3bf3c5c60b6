import { and, eq, lte } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { moveAnnouncement } from './announcements/handlers.ts'
import { announcementRows as rows } from './tables.home.ts'

const atOnce = 100

/** Starts and ends announcements whose time has come; one whose whole time has passed goes both steps. */
async function turnAnnouncements(ctx: Context): Promise<void> {
  const due = [
    ['scheduled', rows.startAt, 'start'],
    ['live', rows.endAt, 'expire'],
  ] as const
  for (const [state, time, action] of due) {
    const found = await ctx.home
      .select()
      .from(rows)
      .where(and(eq(rows.state, state), lte(time, ctx.now())))
      .orderBy(rows.announcementId)
      .limit(atOnce)
      .for('update', { skipLocked: true })
    for (const row of found) await moveAnnouncement(ctx, row, action)
  }
}

export default {
  sweeps: [{ name: 'menu.announcements', every: '*/15 * * * * *', database: 'home', run: turnAnnouncements }],
} satisfies Work
