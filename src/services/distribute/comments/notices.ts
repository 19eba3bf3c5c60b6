import { and, eq, gt, lt, lte, ne, sql } from 'drizzle-orm'
import type { LocalText } from '../../../kernel/language.ts'
import type { Context } from '../../../server/context.ts'
import type { Event } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'
import { commentReplies, comments, commentsTold } from './tables.ts'

/** So long new comments are gathered, and no team hears of one app more often. */
const gatherMs = 3_600_000
const mostAtOnce = 200

/** The first comment that a team was not told of begins an hour of gathering. */
export async function noteNew(ctx: Context, event: Event): Promise<void> {
  const { appId } = event.data as { appId: string }
  await ctx.db
    .insert(commentsTold)
    .values({ appId, teamId: event.teamId ?? '0', waitingSince: event.at, toldAt: 0 })
    .onConflictDoUpdate({
      target: commentsTold.appId,
      set: { waitingSince: sql`coalesce(${commentsTold.waitingSince}, excluded.waiting_since)` },
    })
}

/** Tells teams how many comments came, and how many of them have one or two stars. */
export async function tellTeams(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(commentsTold)
    .where(lte(commentsTold.waitingSince, ctx.now() - gatherMs))
    .limit(mostAtOnce)
    .for('update', { skipLocked: true })
  const apps = new Map(
    (
      await appsOf(
        ctx,
        due.map(row => row.appId),
      )
    ).map(app => [app.appId, app]),
  )
  for (const { appId, toldAt } of due) {
    await ctx.db
      .update(commentsTold)
      .set({ waitingSince: null, toldAt: ctx.now() })
      .where(eq(commentsTold.appId, appId))
    const app = apps.get(appId)
    if (!app) continue
    const isNew = and(
      ...[eq(comments.appId, appId), eq(comments.isTest, false), eq(comments.state, 'VISIBLE')],
      ...[ne(comments.text, ''), gt(comments.createdAt, toldAt)],
    )
    const all = await ctx.db.$count(comments, isNew)
    const low = await ctx.db.$count(comments, and(isNew, lt(comments.stars, 3)))
    if (all === 0) continue
    const { teamId, projectId, name } = app
    await notify(ctx, {
      to: { teamId, permission: 'comments.reply', about: { appId, projectId } },
      category: 'operations',
      kind: 'comment.created',
      entityId: appId,
      href: `/apps/${appId}/comments`,
      title: {
        zh: `${name} 有新评论：${all} 条`,
        en: `New comments on ${name}: ${all}`,
        ru: `Новые отзывы о ${name}: ${all}`,
      },
      text: {
        zh: low === 0 ? '没有一星或二星的评论。' : `其中一星或二星：${low} 条。`,
        en: low === 0 ? 'None of them has one or two stars.' : `With one or two stars: ${low}.`,
        ru: low === 0 ? 'Оценок в одну или две звезды нет.' : `С одной или двумя звёздами: ${low}.`,
      },
    })
  }
}

const rejected: LocalText = {
  zh: '回复未通过文本检查，用户看不到它。请修改后重试。',
  en: 'The reply did not pass the check of its text; people do not see it. Change it and try again.',
  ru: 'Текст ответа не прошёл проверку, пользователи его не видят. Измените его и отправьте снова.',
}

const verdicts: Readonly<Record<'keep' | 'hide', LocalText>> = {
  keep: {
    zh: '商店决定保留您举报的评论。',
    en: 'The store keeps the comment that you reported.',
    ru: 'Магазин оставил отзыв, на который вы пожаловались.',
  },
  hide: {
    zh: '商店已隐藏您举报的评论。',
    en: 'The store hid the comment that you reported.',
    ru: 'Магазин скрыл отзыв, на который вы пожаловались.',
  },
}

/** Who wrote a reply hears that it was refused; who reported a comment hears what became of it. */
export async function tellMember(ctx: Context, event: Event): Promise<void> {
  const { appId, verdict, accountId } = event.data as { appId: string; verdict?: 'keep' | 'hide'; accountId?: string }
  const [app] = await appsOf(ctx, [appId])
  if (!app) return
  const to = accountId ?? (await writerOf(ctx, event.entityId))
  if (to === undefined) return
  const { name } = app
  await notify(ctx, {
    to: { accountIds: [to] },
    category: 'operations',
    kind: event.type,
    entityId: event.entityId,
    href: `/apps/${appId}/comments`,
    title: { zh: `${name}：评论`, en: `Comments on ${name}`, ru: `Отзывы о ${name}` },
    text: verdict ? verdicts[verdict] : rejected,
  })
}

async function writerOf(ctx: Context, replyId: string): Promise<string | undefined> {
  const [row] = await ctx.db
    .select({ authorId: commentReplies.authorId })
    .from(commentReplies)
    .where(eq(commentReplies.replyId, replyId))
  return row?.authorId
}
