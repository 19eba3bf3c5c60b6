import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { isCountryCode } from '../../../ground/regions/contract.ts'
import { forbiddenIn } from '../../lifecycle/public.ts'
import { errors } from '../contract.ts'
import type { CommentRecord } from '../queries.ts'
import { type CommentState, commentCycle, dayMs, hasControls, limits, lowered, plainText, tongueOf } from '../rules.ts'
import { commentReplies, commentReports, comments, commentVotes } from '../tables.ts'

export interface Wish {
  stars: number
  title?: string
  text?: string
  nickname?: string
  language?: string
  country?: string
  device?: string
  revision?: number
}

/** Who writes about what: what the store knows of the device, or what a tester may have. */
export interface Author {
  appId: string
  teamId: string
  /** A keyed digest. */
  author: string
  isTest: boolean
  versionId: string
  versionCode: string
  versionName: string
  /** A digest of the network and the day. */
  source: string
}

const ofWords = ['title', 'text', 'nickname', 'device'] as const

/** The words as they are kept. Refuses control characters, and what the store does not publish. */
async function wordsOf(ctx: Context, wish: Wish) {
  const words = { title: '', text: '', nickname: '', device: '' }
  for (const field of ofWords) {
    const given = wish[field] ?? ''
    if (hasControls(given)) throw badField(`/${field}`, 'characters', 'has control characters; write plain text')
    const plain = plainText(given)
    words[field] = field === 'text' ? plain : plain.replace(/\s+/g, ' ')
  }
  if (words.title !== '' && words.text === '') throw badField('/text', 'required', 'is empty, and there is a title')
  if (wish.country !== undefined && !isCountryCode(wish.country)) {
    throw badField('/country', 'country', `${wish.country} is no country code`)
  }
  const said = ofWords.map(field => words[field]).join('\n')
  const found = said.trim() === '' ? [] : await forbiddenIn(ctx, said)
  if (found.length > 0) refuse(errors.textRisk, { found: found.join(', ') })
  return {
    ...words,
    haystack: lowered(`${words.title}\n${words.text}`),
    device: words.device || null,
    language: wish.language === undefined ? null : tongueOf(wish.language),
    country: wish.country ?? null,
  }
}

const liveOf = ({ appId, author, isTest }: Author) =>
  and(
    ...[eq(comments.appId, appId), eq(comments.author, author), eq(comments.isTest, isTest)],
    ne(comments.state, 'DELETED'),
  )

/** What the device wrote; undefined where there is nothing. */
export async function ownOf(ctx: Context, author: Author, lock = false): Promise<CommentRecord | undefined> {
  const query = ctx.db.select().from(comments).where(liveOf(author))
  const [row] = await (lock ? query.for('update') : query)
  return row
}

/**
 * Writes the one comment of a device, or changes it. What was hidden stays hidden. A revision that was sent must be the
 * current one; without one only stars that a device reported before are written over.
 */
export async function writeComment(ctx: Context, author: Author, wish: Wish): Promise<CommentRecord> {
  const words = await wordsOf(ctx, wish)
  const before = await ownOf(ctx, author, true)
  const written = before ? await change(ctx, before, author, wish, words) : await begin(ctx, author, wish, words)
  const { commentId, appId, teamId, stars, language, country, versionCode, isTest } = written
  const isNew = !before || before.text === ''
  if (!isTest && (written.text !== '' || !isNew)) {
    ctx.emit({
      type: isNew ? 'comment.created' : 'comment.updated',
      entity: 'comment',
      entityId: commentId,
      teamId,
      data: { appId, stars, language, country, versionCode },
    })
  }
  return written
}

type Words = Awaited<ReturnType<typeof wordsOf>>

async function begin(ctx: Context, author: Author, { stars, revision }: Wish, words: Words): Promise<CommentRecord> {
  if (revision !== undefined) refuse(errors.commentMissing, { id: '' })
  await mustNotFlood(ctx, author)
  const now = ctx.now()
  const [row] = await ctx.db
    .insert(comments)
    .values({
      ...{ ...author, ...words, stars, commentId: ctx.newId(), state: 'VISIBLE', editDay: dayOf(now), edits: 1 },
      ...{ createdAt: now, writtenAt: now, updatedAt: now },
    })
    .returning()
    .catch(error => {
      if (isDuplicate(error, 'comments_of_author')) refuse(commonErrors.stale, { revision: 1 })
      throw error
    })
  return row!
}

async function change(ctx: Context, before: CommentRecord, author: Author, wish: Wish, words: Words) {
  const isOnlyRated = before.text === ''
  if (wish.revision === undefined ? !isOnlyRated : wish.revision !== before.revision) {
    refuse(commonErrors.stale, { revision: before.revision })
  }
  if (before.source === null) await mustNotFlood(ctx, author)
  const now = ctx.now()
  const edits = before.editDay === dayOf(now) ? before.edits + 1 : 1
  if (edits > limits.editsPerDay) refuse(errors.editsMany, { limit: limits.editsPerDay })
  const { versionId, versionCode, versionName, source } = author
  const [row] = await ctx.db
    .update(comments)
    .set({
      ...{ ...words, stars: wish.stars, versionId, versionCode, versionName, source: before.source ?? source },
      ...{ editDay: dayOf(now), edits, writtenAt: now, updatedAt: now, revision: before.revision + 1 },
      // Words to stars that stood alone: people and the developer see it as written now.
      ...(isOnlyRated && words.text !== '' ? { createdAt: now } : {}),
    })
    .where(eq(comments.commentId, before.commentId))
    .returning()
  return row!
}

async function mustNotFlood(ctx: Context, { appId, author, isTest, source }: Author): Promise<void> {
  // Those of one network are counted one after the other.
  await ctx.transaction(ctx.zone).query({
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 222))',
    values: [source],
  })
  const sent = await ctx.db.$count(comments, eq(comments.source, source))
  if (sent >= limits.commentsOfNetwork) refuse(errors.commentsMany)
  const isOwn = and(eq(comments.appId, appId), eq(comments.author, author), eq(comments.isTest, isTest))
  const barred = await ctx.db.$count(comments, and(isOwn, isNotNull(comments.hiddenAt), eq(comments.state, 'DELETED')))
  if (barred > 0) refuse(errors.barred)
}

/** Its author takes it back: the words, the stars, the reply and the votes go; that something was there is kept. */
export async function takeBack(ctx: Context, row: CommentRecord): Promise<void> {
  const { commentId, appId, teamId, state, revision } = row
  await transition(ctx, {
    cycle: commentCycle,
    table: 'comments',
    idColumn: 'comment_id',
    row: { id: commentId, state: state as CommentState, revision },
    action: 'delete',
    data: { appId },
    teamId,
  })
  const nothing = {
    title: '',
    text: '',
    haystack: '',
    nickname: '',
    device: null,
    country: null,
    language: null,
    helpful: 0,
  }
  await ctx.db
    .update(comments)
    .set({ ...nothing, repliedAt: null })
    .where(eq(comments.commentId, commentId))
  await ctx.db.delete(commentVotes).where(eq(commentVotes.commentId, commentId))
  await ctx.db
    .update(commentReplies)
    .set({ state: 'DELETED', text: '', shownText: null, reason: null, updatedAt: ctx.now() })
    .where(eq(commentReplies.commentId, commentId))
  await ctx.db
    .update(commentReports)
    .set({ state: 'GONE', decidedAt: ctx.now() })
    .where(and(eq(commentReports.commentId, commentId), eq(commentReports.state, 'OPEN')))
}

export function dayOf(at: number): string {
  return new Date(Math.floor(at / dayMs) * dayMs).toISOString().slice(0, 10)
}
