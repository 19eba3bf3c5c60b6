import { and, eq, gte } from 'drizzle-orm'
import type { Cell } from '../../../kernel/cells.ts'
import { refuse } from '../../../kernel/errors.ts'
import type { Language } from '../../../kernel/language.ts'
import type { Context } from '../../../server/context.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { transition } from '../../../server/life-cycle.ts'
import { rowsOfPages, spreadsheet } from '../../../server/spreadsheet.ts'
import { appOf } from '../apps/public.ts'
import { comments as contract, errors } from './contract.ts'
import { type CommentView, type Filters, loadComment, matching, pageOfComments, toComments } from './queries.ts'
import { createReply, deleteReply, pageOfReplies, updateReply } from './replies.ts'
import { type CommentSort, type CommentState, commentCycle, dayMs, limits, type Policy, plainText } from './rules.ts'
import { ratingOfApp, statsOf } from './stats.ts'
import { commentReports, comments, commentsSeen } from './tables.ts'

export default implement(contract, {
  getCommentStats: async (ctx, { query }) => {
    const { appId, isTest = false } = query
    const { teamId } = await appOf(ctx, appId)
    const to = query.to ?? ctx.now() + 1
    const from = query.from ?? Math.max(0, to - limits.statsDays * dayMs)
    if (to <= from) throw badField('/from', 'order', 'must be before `to`', 'query')
    if (to - from > limits.statsDaysMost * dayMs) {
      throw badField('/from', 'range', `is more than ${limits.statsDaysMost} days before \`to\``, 'query')
    }
    const { withText: _, ...overall } = await ratingOfApp(ctx, appId, isTest)
    return { from, to, overall, ...(await statsOf(ctx, { appId, teamId, from, to, isTest })) }
  },

  queryComments: (ctx, { body }) => queryPage(ctx, body),

  exportComments: async (ctx, { query }) => {
    const { format, uiLanguage, star, ...wish } = query
    await appOf(ctx, wish.appId)
    const asked = { ...wish, ...(star !== undefined && { stars: [star] }) }
    const read = (cursor: string | undefined) =>
      queryPage(ctx, { ...asked, pageSize: 100, ...(cursor !== undefined && { cursor }) })
    return spreadsheet(format, {
      fileName: `comments-${wish.appId}-${new Date(ctx.now()).toISOString().slice(0, 10)}`,
      columns: columns[uiLanguage ?? ctx.place.language],
      rows: rowsOfPages(read, cellsOf),
    })
  },

  listReplies: (ctx, { query }) => pageOfReplies(ctx, query),
  createReply: (ctx, { body }) => createReply(ctx, body.commentId, body.text),
  updateReply: (ctx, { body: { replyId, ...wish } }) => updateReply(ctx, { replyId }, wish),
  deleteReply: async (ctx, { query }) => {
    await deleteReply(ctx, query)
    return {}
  },

  reportComment: async (ctx, { body }) => {
    const row = await loadComment(ctx, body.commentId, 'update')
    await appOf(ctx, row.appId)
    await report(ctx, row, body.policyId, plainText(body.note ?? ''))
    return (await toComments(ctx, [await loadComment(ctx, body.commentId)]))[0]!
  },

  markSeen: async (ctx, { body: { appId } }) => {
    await appOf(ctx, appId)
    const at = ctx.now()
    await ctx.db
      .insert(commentsSeen)
      .values({ appId, accountId: ctx.accountId, teamId: ctx.teamId, at })
      .onConflictDoUpdate({ target: [commentsSeen.appId, commentsSeen.accountId], set: { at, teamId: ctx.teamId } })
    return { seenAt: at }
  },
})

type PageWish = Filters & { sort?: CommentSort; cursor?: string; pageSize?: number }

async function queryPage(ctx: Context, wish: PageWish) {
  await appOf(ctx, wish.appId)
  if (wish.from !== undefined && wish.to !== undefined && wish.to <= wish.from) {
    throw badField('/from', 'order', 'must be before `to`')
  }
  const matches = matching(ctx, wish)
  const { rows, nextCursor } = await pageOfComments(ctx, matches, wish)
  return { total: await ctx.db.$count(comments, matches), list: await toComments(ctx, rows), nextCursor }
}

async function report(
  ctx: Context,
  row: Awaited<ReturnType<typeof loadComment>>,
  policyId: Policy,
  note: string,
): Promise<void> {
  const { commentId, appId, teamId, state, revision } = row
  if (row.isTest || row.text === '') throw badField('/commentId', 'public', 'is no public comment with words')
  const limit = limits.reportsPerDay
  // Two at once of one team are counted one after the other.
  await ctx.transaction(ctx.zone).query({
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 221))',
    values: [teamId],
  })
  const since = Math.floor(ctx.now() / dayMs) * dayMs
  const ofDay = and(eq(commentReports.teamId, teamId), gte(commentReports.createdAt, since))
  if ((await ctx.db.$count(commentReports, ofDay)) >= limit) refuse(errors.reportsMany, { limit })
  await transition(ctx, {
    cycle: commentCycle,
    table: 'comments',
    idColumn: 'comment_id',
    row: { id: commentId, state: state as CommentState, revision },
    action: 'report',
    data: { appId, policyId },
    note: { appId, policyId },
    teamId,
  })
  await ctx.db
    .insert(commentReports)
    .values({
      ...{ reportId: ctx.newId(), teamId, appId, commentId, policyId, note },
      ...{ state: 'OPEN', reportedBy: ctx.accountId, createdAt: ctx.now() },
    })
    .catch(error => {
      if (isDuplicate(error, 'comment_reports_open')) refuse(errors.commentMissing, { id: commentId })
      throw error
    })
}

const columns: Readonly<Record<Language, readonly string[]>> = {
  zh: ['时间', '星级', '标题', '评论', '昵称', '语言', '国家/地区', '版本', '设备', '有用', '状态', '回复', '回复状态'],
  en: [
    ...['Written at', 'Stars', 'Title', 'Comment', 'Nickname', 'Language', 'Country or region', 'Version', 'Device'],
    ...['Helpful', 'State', 'Reply', 'State of the reply'],
  ],
  ru: [
    ...['Время', 'Оценка', 'Заголовок', 'Отзыв', 'Имя', 'Язык', 'Страна или регион', 'Версия', 'Устройство'],
    ...['Полезно', 'Состояние', 'Ответ', 'Состояние ответа'],
  ],
}

function cellsOf(row: CommentView): Cell[] {
  const written = [new Date(row.createdAt).toISOString(), row.stars, row.title, row.text, row.nickname]
  const where = [row.language, row.country, row.versionName, row.device]
  return [...written, ...where, row.helpful, row.state, row.reply?.text ?? null, row.reply?.state ?? null]
}
