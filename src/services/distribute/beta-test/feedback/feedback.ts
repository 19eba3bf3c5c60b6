import { and, count, desc, eq, ilike, inArray, max } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { downloadUrlOf, releaseObjects } from '../../../ground/files/public.ts'
import { behind, mine, type Page, paged, usersOfIds } from '../queries.ts'
import { feedback } from '../tables.ts'
import type { Feedback } from './contract.ts'
import { type FeedbackAction, type FeedbackState, feedbackLifeCycle } from './rules.ts'

type FeedbackRecord = typeof feedback.$inferSelect

export async function pageOfFeedback(
  ctx: Context,
  wish: Page & { appId: string; versionId?: string; state?: FeedbackState; search?: string },
) {
  const { appId, versionId, state, search, cursor, pageSize = 20 } = wish
  const matches = and(
    eq(feedback.appId, appId),
    mine(ctx, feedback),
    versionId === undefined ? undefined : eq(feedback.versionId, versionId),
    state && eq(feedback.state, state),
    search ? ilike(feedback.text, `%${search.replace(/[\\%_]/g, '\\$&')}%`) : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(feedback)
    .where(and(matches, behind(feedback.feedbackId, cursor)))
    .orderBy(desc(feedback.feedbackId))
    .limit(pageSize + 1)
  const { list, nextCursor } = paged(rows, pageSize, row => row.feedbackId)
  return { total: await ctx.db.$count(feedback, matches), list: await toFeedback(ctx, list), nextCursor }
}

export async function numbersOf(ctx: Context, appId: string) {
  const own = and(eq(feedback.appId, appId), mine(ctx, feedback))
  const states = await ctx.db
    .select({ state: feedback.state, count: count() })
    .from(feedback)
    .where(own)
    .groupBy(feedback.state)
  const versions = await ctx.db
    .select({ versionId: feedback.versionId, versionName: max(feedback.versionName), count: count() })
    .from(feedback)
    .where(own)
    .groupBy(feedback.versionId)
    .orderBy(desc(feedback.versionId))
    .limit(100)
  return { states, versions }
}

async function loadFeedback(ctx: Context, feedbackId: string): Promise<FeedbackRecord> {
  const [row] = await ctx.db
    .select()
    .from(feedback)
    .where(and(eq(feedback.feedbackId, feedbackId), mine(ctx, feedback)))
  return row ?? refuse(commonErrors.notFound, { entity: 'feedback', id: feedbackId })
}

export async function moveFeedback(
  ctx: Context,
  feedbackId: string,
  action: FeedbackAction,
  note?: string,
): Promise<FeedbackRecord> {
  const row = await loadFeedback(ctx, feedbackId)
  const { appId, versionId, teamId, state, revision } = row
  const moved = await transition(ctx, {
    cycle: feedbackLifeCycle,
    table: 'beta_feedback',
    idColumn: 'feedback_id',
    row: { id: feedbackId, state, revision },
    action,
    data: { appId, versionId },
    teamId,
  })
  if (moved.state === null) return row
  if (note !== undefined) {
    await ctx.db.update(feedback).set({ note: note.trim() }).where(eq(feedback.feedbackId, feedbackId))
  }
  return loadFeedback(ctx, feedbackId)
}

export async function deleteFeedback(ctx: Context, feedbackId: string): Promise<void> {
  await dropFeedback(ctx, [await moveFeedback(ctx, feedbackId, 'delete')])
}

/** Takes the rows away and lets go of their files. */
export async function dropFeedback(ctx: Context, rows: readonly FeedbackRecord[]): Promise<void> {
  if (rows.length === 0) return
  await ctx.db.delete(feedback).where(
    inArray(
      feedback.feedbackId,
      rows.map(row => row.feedbackId),
    ),
  )
  const objects = rows.flatMap(row => [...row.screenshots, ...row.logs])
  if (objects.length > 0) await releaseObjects(ctx, objects)
}

export async function toFeedback(ctx: Context, rows: readonly FeedbackRecord[]): Promise<Static<typeof Feedback>[]> {
  const users = await usersOfIds(
    ctx,
    rows.flatMap(row => row.userId ?? []),
  )
  const byId = new Map(users.map(user => [user.userId, user]))
  return rows.map(row => {
    const user = row.userId === null ? undefined : byId.get(row.userId)
    return {
      ...row,
      tester: user ? { userId: user.userId, account: user.account, nickname: user.nickname } : null,
      screenshots: row.screenshots.map(objectId => downloadUrlOf(ctx, objectId, { picture: 'full' })),
      logs: row.logs.map((objectId, at) => {
        const extension = objectId.split('.').at(-1) ?? 'txt'
        return downloadUrlOf(ctx, objectId, { fileName: `log-${row.feedbackId}-${at + 1}.${extension}` })
      }),
      allowedActions: allowedActions(feedbackLifeCycle, row.state, permission => ctx.may(permission)),
    }
  })
}
