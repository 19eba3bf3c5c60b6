import { and, asc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { implement } from '../../../server/implement.ts'
import { developerSupport } from './contract.ts'
import { limits, stateOf } from './rules.ts'
import { supportContacts as contacts } from './tables.ts'
import { contactOf, takeTurn, verifyContact, waitOf } from './verification.ts'

export default implement(developerSupport, {
  verifyContact: (ctx, { body }) => verifyContact(ctx, body),

  listContacts: async ctx => {
    const now = ctx.now()
    const rows = await ctx.db
      .select()
      .from(contacts)
      .where(eq(contacts.teamId, ctx.teamId))
      .orderBy(asc(contacts.address))
      .limit(limits.contacts)
    const list = rows.map(row => {
      const { address, triesLeft, sentAt, expiresAt, verifiedAt } = row
      const state = stateOf(row, now)
      const waits = state === 'WAITING' ? expiresAt : null
      return { address, state, triesLeft, sentAt, availableAt: sentAt + limits.everyMs, expiresAt: waits, verifiedAt }
    })
    return { total: list.length, list, nextCursor: null }
  },

  removeContact: async (ctx, { query }) => {
    ctx.assertScope({})
    const address = query.address.toLowerCase()
    await takeTurn(ctx)
    const known = await contactOf(ctx, ctx.teamId, address)
    if (!known) refuse(commonErrors.notFound, { entity: 'contact', id: address })
    // A code a minute at most, also to an address that goes and comes again.
    const wait = waitOf(known.sentAt, ctx.now())
    if (wait) refuse(developerSupport.errors.removedTooSoon, { address, ...wait })
    await ctx.db.delete(contacts).where(and(eq(contacts.teamId, ctx.teamId), eq(contacts.address, address)))
    ctx.audit({ action: 'support.contactRemoved', entity: 'team', entityId: ctx.teamId })
    return { address }
  },
})
