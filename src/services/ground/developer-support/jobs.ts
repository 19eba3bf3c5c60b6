import { eq } from 'drizzle-orm'
import type { Listener, Work } from '../../../server/work.ts'
import { supportContacts } from './tables.ts'
import { mailCode } from './verification.ts'

/** Of an erased account the addresses go that it gave. */
const forgetContacts: Listener = {
  name: 'support.erased',
  on: ['session.account_forgotten'],
  run: async (ctx, { entityId }) => {
    await ctx.db.delete(supportContacts).where(eq(supportContacts.askedBy, entityId))
  },
}

export default {
  jobs: [{ kind: 'support.contactCode', run: mailCode }],
  listeners: [forgetContacts],
} satisfies Work
