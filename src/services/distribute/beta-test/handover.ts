import { inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Handing, Handover } from '../../../server/handover.ts'
import { dropFeedback } from './feedback/feedback.ts'
import { feedback, joins, testUsers } from './tables.ts'

/** Groups with their links and activities go; people and what they said only where they are to. */
export const betaHandover: Handover = {
  rows: [
    { table: 'version_test_groups' },
    { table: 'version_test_users' },
    { table: 'beta_links' },
    { table: 'beta_joins' },
    { table: 'beta_activities' },
    { table: 'beta_feedback', files: ['screenshots', 'logs'] },
  ],
  stays: {
    beta_pictures: 'pictures of a moment ago that belong to no words yet; they go by themselves',
    beta_imports: 'what the old team brought in',
    beta_import_items: 'as the import',
  },
  zone: async (ctx, handing) => {
    if (handing.fromTeamId !== handing.toTeamId && !handing.keepsTesters) await dropPeople(ctx, handing)
  },
}

/** What was told to the old team in confidence does not go. */
async function dropPeople(ctx: Context, { appIds }: Handing): Promise<void> {
  await dropFeedback(ctx, await ctx.db.select().from(feedback).where(inArray(feedback.appId, appIds)))
  await ctx.db.delete(joins).where(inArray(joins.appId, appIds))
  await ctx.db.delete(testUsers).where(inArray(testUsers.appId, appIds))
}
