import { eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Listener } from '../../../server/work.ts'
import { dropFeedback } from './feedback/feedback.ts'
import { activities, feedback, importItems, imports, joins, links, testGroups, testUsers } from './tables.ts'

/** Of an erased account stays neither its place in a group nor what it said. */
export const forgetTesters: Listener = {
  name: 'betaTest.erased',
  on: ['session.account_forgotten'],
  run: async (ctx, { entityId }) => {
    const gone = await ctx.db
      .delete(testUsers)
      .where(eq(testUsers.accountId, entityId))
      .returning({ userId: testUsers.userId, account: testUsers.account })
    if (gone.length === 0) return
    const ids = gone.map(one => one.userId)
    const addresses = [...new Set(gone.map(one => one.account))]
    await dropFeedback(ctx, await ctx.db.select().from(feedback).where(inArray(feedback.userId, ids)))
    await ctx.db.delete(joins).where(inArray(joins.account, addresses))
    await ctx.db.update(importItems).set({ account: '', nickname: '' }).where(inArray(importItems.account, addresses))
  },
}

/** An app that is gone for ever takes its groups and all that hangs on them along. */
export const purgeApps: Listener = {
  name: 'betaTest.purge',
  on: ['app.purged'],
  run: async (ctx: Context, { entityId: appId }) => {
    await dropFeedback(ctx, await ctx.db.select().from(feedback).where(eq(feedback.appId, appId)))
    const gone = await ctx.db.delete(imports).where(eq(imports.appId, appId)).returning({ bulkId: imports.bulkId })
    const bulkIds = gone.map(one => one.bulkId)
    if (bulkIds.length > 0) await ctx.db.delete(importItems).where(inArray(importItems.bulkId, bulkIds))
    for (const table of [joins, links, activities, testUsers, testGroups]) {
      await ctx.db.delete(table).where(eq(table.appId, appId))
    }
  },
}
