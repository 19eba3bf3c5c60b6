import { eq } from 'drizzle-orm'
import type { Listener, Work } from '../../../server/work.ts'
import { startDue } from './developer/life.ts'
import { consentRows, signRows, teamSignRows } from './tables.home.ts'

/** Of an erased account stays that its number agreed to which text, and when; not from where. */
const forgetAddresses: Listener = {
  name: 'agreements.erased',
  on: ['session.account_forgotten'],
  run: async (ctx, { entityId }) => {
    for (const rows of [signRows, teamSignRows, consentRows])
      await ctx.home.update(rows).set({ ip: null, userAgent: null }).where(eq(rows.accountId, entityId))
  },
}

export default {
  listeners: [forgetAddresses],
  sweeps: [{ name: 'agreements.start', every: '*/15 * * * * *', database: 'home', run: startDue }],
} satisfies Work
