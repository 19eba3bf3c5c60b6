import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { isMember } from '../../../ground/teams/public.ts'
import { appsOf } from '../../apps/public.ts'
import { errors } from '../contract.ts'
import { type CommentRecord, toComments } from '../queries.ts'
import { type CommentState, commentCycle, type Policy } from '../rules.ts'
import { commentReports, comments } from '../tables.ts'
import { commentDesk } from './contract.ts'

type ReportRecord = typeof commentReports.$inferSelect
type ReportView = Static<(typeof commentDesk.calls.decideReport)['answer']>

export default implement(commentDesk, {
  listReports: async (ctx, { query }) => {
    const { policyId, cursor, pageSize = 20 } = query
    if (cursor !== undefined && !/^[0-9]{1,19}$/.test(cursor)) {
      throw badField('/cursor', 'cursor', 'is not what a page before answered', 'query')
    }
    const matches = and(
      eq(commentReports.state, query.state ?? 'OPEN'),
      policyId === undefined ? undefined : eq(commentReports.policyId, policyId),
    )
    const rows = await ctx.db
      .select()
      .from(commentReports)
      .where(and(matches, cursor === undefined ? undefined : gt(commentReports.reportId, cursor)))
      .orderBy(asc(commentReports.reportId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(commentReports, matches),
      list: await toReports(ctx, page),
      nextCursor: rows.length > pageSize ? (page.at(-1)?.reportId ?? null) : null,
    }
  },

  decideReport: async (ctx, { body }) => {
    const { reportId, verdict, revision } = body
    const [row] = await ctx.db.select().from(commentReports).where(eq(commentReports.reportId, reportId)).for('update')
    if (!row) refuse(commonErrors.notFound, { entity: 'report', id: reportId })
    if (row.revision !== revision) refuse(commonErrors.stale, { revision: row.revision })
    if (row.state !== 'OPEN') refuse(commonErrors.stateNotAllowed, { state: row.state, allowedActions: [] })
    await moveComment(ctx, await commentOf(ctx, row.commentId), verdict, row.policyId)
    const [next] = await ctx.db
      .update(commentReports)
      .set({
        ...{ state: verdict === 'hide' ? 'HIDDEN' : 'KEPT', answer: body.answer?.trim() ?? '' },
        ...{ decidedAt: ctx.now(), decidedBy: ctx.accountId, revision: revision + 1 },
      })
      .where(eq(commentReports.reportId, reportId))
      .returning()
    ctx.emit({
      type: 'comment.report.decided',
      entity: 'commentReport',
      entityId: reportId,
      teamId: row.teamId,
      data: { appId: row.appId, commentId: row.commentId, verdict, accountId: row.reportedBy },
    })
    return (await toReports(ctx, [next!]))[0]!
  },

  restoreComment: async (ctx, { body }) => {
    const row = await commentOf(ctx, body.commentId)
    if (row.revision !== body.revision) refuse(commonErrors.stale, { revision: row.revision })
    await moveComment(ctx, row, 'restore')
    return (await toComments(ctx, [await commentOf(ctx, body.commentId)]))[0]!
  },
})

async function commentOf(ctx: Context, commentId: string): Promise<CommentRecord> {
  const [row] = await ctx.db.select().from(comments).where(eq(comments.commentId, commentId)).for('update')
  return row ?? refuse(errors.commentMissing, { id: commentId })
}

async function moveComment(ctx: Context, row: CommentRecord, action: 'hide' | 'keep' | 'restore', policyId?: string) {
  const { commentId, appId, teamId, state, revision } = row
  await transition(ctx, {
    cycle: commentCycle,
    table: 'comments',
    idColumn: 'comment_id',
    row: { id: commentId, state: state as CommentState, revision },
    action,
    facts: { isImpartial: !(await isMember(ctx, teamId, ctx.accountId)) },
    unmet: () => refuse(errors.ofOwnTeam),
    data: { appId, ...(policyId !== undefined && { policyId }) },
    teamId,
    // The revision that was sent is that of the report.
    isConsequence: policyId !== undefined,
  })
  const hiddenAt = action === 'hide' ? ctx.now() : action === 'restore' ? null : row.hiddenAt
  await ctx.db.update(comments).set({ hiddenAt }).where(eq(comments.commentId, commentId))
}

async function toReports(ctx: Context, rows: readonly ReportRecord[]): Promise<ReportView[]> {
  if (rows.length === 0) return []
  const ids = rows.map(row => row.commentId)
  const found = await ctx.db.select().from(comments).where(inArray(comments.commentId, ids))
  const views = new Map((await toComments(ctx, found)).map(view => [view.commentId, view]))
  const apps = await appsOf(
    ctx,
    rows.map(row => row.appId),
  )
  const nameOf = new Map(apps.map(app => [app.appId, app.name]))
  return rows.flatMap(row => {
    const comment = views.get(row.commentId)
    if (!comment) return []
    return [{ ...row, policyId: row.policyId as Policy, appName: nameOf.get(row.appId) ?? row.appId, comment }]
  })
}
