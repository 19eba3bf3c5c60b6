import { eq } from 'drizzle-orm'
import type { Handover } from '../../../server/handover.ts'
import type { Work } from '../../../server/work.ts'
import { takeRatings } from './devices/ratings.ts'
import { noteNew, tellMember, tellTeams } from './notices.ts'
import { checkReply } from './replies.ts'
import { commentReplies, commentReports, comments, commentsSeen, commentsTold, commentVotes } from './tables.ts'

/** What people said of an app goes where the app goes, with what its developer answered. */
const handover: Handover = {
  rows: [
    { table: 'comments' },
    { table: 'comment_votes' },
    { table: 'comment_replies' },
    { table: 'comment_reports' },
    { table: 'comments_told' },
  ],
  stays: { comments_seen: 'of the members of the old team' },
}

export default {
  handover,
  listeners: [
    { name: 'comments.ratings', on: ['store.rated'], run: takeRatings },
    { name: 'comments.check', on: ['reply.submitted'], run: checkReply },
    { name: 'comments.new', on: ['comment.created'], run: noteNew },
    { name: 'comments.notices', on: ['reply.rejected', 'comment.report.decided'], run: tellMember },
    {
      name: 'comments.purge',
      on: ['app.purged'],
      run: async (ctx, { entityId: appId }) => {
        for (const table of [commentVotes, commentReplies, commentReports, commentsSeen, commentsTold, comments]) {
          await ctx.db.delete(table).where(eq(table.appId, appId))
        }
      },
    },
    {
      name: 'comments.erased',
      on: ['session.account_forgotten'],
      run: async (ctx, { entityId }) => {
        await ctx.db.delete(commentsSeen).where(eq(commentsSeen.accountId, entityId))
      },
    },
  ],
  sweeps: [{ name: 'comments.tell', every: '50 * * * * *', database: 'zone', run: tellTeams }],
} satisfies Work
