import { and, desc, eq, lt, ne } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import { transition } from '../../../server/life-cycle.ts'
import type { Event } from '../../../server/work.ts'
import { appInScope, appOf } from '../apps/public.ts'
import { forbiddenIn } from '../lifecycle/public.ts'
import { errors } from './contract.ts'
import { loadComment, type ReplyRecord, toReply } from './queries.ts'
import { hasControls, limits, plainText, type ReplyState, replyCycle } from './rules.ts'
import { commentReplies, comments } from './tables.ts'

function replyText(text: string): string {
  if (hasControls(text)) throw badField('/text', 'characters', 'has control characters; write plain text')
  const plain = plainText(text)
  if (plain === '') throw badField('/text', 'minLength', 'is empty without its HTML; write plain text')
  if (plain.length > limits.textLength) refuse(errors.replyTooLong, { limit: limits.textLength })
  return plain
}

/** Locked: a check that goes on at the same time comes before or after. */
async function loadReply(ctx: Context, by: { replyId: string } | { commentId: string }): Promise<ReplyRecord> {
  const wanted = 'replyId' in by ? eq(commentReplies.replyId, by.replyId) : eq(commentReplies.commentId, by.commentId)
  const [row] = await ctx.db
    .select()
    .from(commentReplies)
    .where(
      and(
        wanted,
        ne(commentReplies.state, 'DELETED'),
        eq(commentReplies.teamId, ctx.teamId),
        appInScope(ctx, commentReplies.appId),
      ),
    )
    .for('update')
  return row ?? refuse(commonErrors.notFound, { entity: 'reply', id: 'replyId' in by ? by.replyId : by.commentId })
}

/** One reply to a comment: of two at once the second is refused. */
export async function createReply(ctx: Context, commentId: string, given: string) {
  const text = replyText(given)
  const comment = await loadComment(ctx, commentId, 'update')
  await appOf(ctx, comment.appId)
  const { appId, teamId, createdAt } = comment
  if (comment.text === '') refuse(errors.notForReply, { why: 'it has stars and no words' })
  if (comment.state === 'HIDDEN') refuse(errors.notForReply, { why: 'the store hid it' })
  const now = ctx.now()
  const replyId = ctx.newId()
  const [row] = await ctx.db
    .insert(commentReplies)
    .values({
      ...{ replyId, teamId, appId, commentId, authorId: ctx.accountId, text },
      ...{ state: 'PENDING_CHECK', createdAt: now, updatedAt: now },
    })
    .returning()
    .catch(error => {
      if (isDuplicate(error, 'comment_replies_of_comment')) refuse(errors.replyExists)
      throw error
    })
  await ctx.db
    .update(comments)
    .set({ repliedAt: Math.max(now, createdAt) })
    .where(eq(comments.commentId, commentId))
  ctx.audit({ action: 'reply.create', entity: 'reply', entityId: replyId, after: { appId, commentId } })
  ctx.emit({ type: 'reply.submitted', entity: 'reply', entityId: replyId, data: { appId, commentId } })
  return toReply(ctx, row!)
}

async function move(ctx: Context, row: ReplyRecord, action: 'publish' | 'reject' | 'edit' | 'delete') {
  const { replyId, appId, commentId, state, revision, teamId } = row
  await transition(ctx, {
    cycle: replyCycle,
    table: 'comment_replies',
    idColumn: 'reply_id',
    row: { id: replyId, state: state as ReplyState, revision },
    action,
    data: { appId, commentId },
    note: { appId, commentId },
    teamId,
  })
}

export async function updateReply(
  ctx: Context,
  by: { replyId: string } | { commentId: string },
  wish: { text: string; revision: number },
) {
  const text = replyText(wish.text)
  const row = await loadReply(ctx, by)
  if (row.revision !== wish.revision) refuse(commonErrors.stale, { revision: row.revision })
  await move(ctx, row, 'edit')
  const [next] = await ctx.db
    .update(commentReplies)
    .set({ text, reason: null, authorId: ctx.accountId })
    .where(eq(commentReplies.replyId, row.replyId))
    .returning()
  return toReply(ctx, next!)
}

export async function deleteReply(ctx: Context, by: { replyId: string } | { commentId: string }): Promise<void> {
  const row = await loadReply(ctx, by)
  await move(ctx, row, 'delete')
  await ctx.db
    .update(commentReplies)
    .set({ text: '', shownText: null, reason: null })
    .where(eq(commentReplies.replyId, row.replyId))
  await ctx.db.update(comments).set({ repliedAt: null }).where(eq(comments.commentId, row.commentId))
}

export async function pageOfReplies(
  ctx: Context,
  wish: { appId?: string; commentId?: string; cursor?: string; pageSize?: number },
) {
  const { appId, commentId, cursor, pageSize = 20 } = wish
  if (appId === undefined && commentId === undefined) {
    throw badField('/appId', 'required', 'Name an app or a comment.', 'query')
  }
  if (cursor !== undefined && !/^[0-9]{1,19}$/.test(cursor)) {
    throw badField('/cursor', 'cursor', 'is not what a page before answered', 'query')
  }
  if (appId !== undefined) await appOf(ctx, appId)
  if (commentId !== undefined) await loadComment(ctx, commentId)
  const matches = and(
    eq(commentReplies.teamId, ctx.teamId),
    appInScope(ctx, commentReplies.appId),
    ne(commentReplies.state, 'DELETED'),
    appId === undefined ? undefined : eq(commentReplies.appId, appId),
    commentId === undefined ? undefined : eq(commentReplies.commentId, commentId),
  )
  const rows = await ctx.db
    .select()
    .from(commentReplies)
    .where(and(matches, cursor === undefined ? undefined : lt(commentReplies.replyId, cursor)))
    .orderBy(desc(commentReplies.replyId))
    .limit(pageSize + 1)
  const page = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(commentReplies, matches),
    list: page.map(row => toReply(ctx, row)),
    nextCursor: rows.length > pageSize ? (page.at(-1)?.replyId ?? null) : null,
  }
}

/** Looks at a text that waits, whatever became of the reply since it was sent; what is forbidden is never read. */
export async function checkReply(ctx: Context, event: Event): Promise<void> {
  const [row] = await ctx.db
    .select()
    .from(commentReplies)
    .where(and(eq(commentReplies.replyId, event.entityId), eq(commentReplies.state, 'PENDING_CHECK')))
    .for('update')
  if (!row) return
  const found = await forbiddenIn(ctx, row.text)
  const isGood = found.length === 0
  await move(ctx, row, isGood ? 'publish' : 'reject')
  const checked = isGood ? { shownText: row.text, publishedAt: ctx.now(), reason: null } : { reason: found.join(', ') }
  // The revision counts what the team writes: who edits what waits for the check is not told that somebody was faster.
  await ctx.db
    .update(commentReplies)
    .set({ ...checked, revision: row.revision })
    .where(eq(commentReplies.replyId, row.replyId))
}
