import { and, eq, lte } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Listener, Work } from '../../../server/work.ts'
import { connectSwitches } from '../session/own-sign-in/public.ts'
import { moveAnnouncement } from './announcements/handlers.ts'
import { isFeatureOn } from './public.ts'
import { announcementRows as rows } from './tables.home.ts'
import { supportApplications } from './tables.ts'

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

/** Of an erased account stays what was asked and answered, not how to reach the person. */
const forgetContacts: Listener = {
  name: 'menu.erased',
  on: ['session.account_forgotten'],
  run: async (ctx, { entityId }) => {
    await ctx.db.update(supportApplications).set({ contact: '' }).where(eq(supportApplications.accountId, entityId))
  },
}

export default {
  start: server => {
    connectSwitches(server, { isOn: isFeatureOn })
    return async () => {}
  },
  listeners: [forgetContacts],
  sweeps: [{ name: 'menu.announcements', every: '*/15 * * * * *', database: 'home', run: turnAnnouncements }],
} satisfies Work
