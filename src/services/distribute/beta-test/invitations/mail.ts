import { and, eq, gt, inArray, or, sql } from 'drizzle-orm'
import type { Language } from '../../../../kernel/language.ts'
import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { type AppRow, appsOf } from '../../apps/public.ts'
import { pageOfHolder } from '../address.ts'
import { reachPerson } from '../reaching.ts'
import { isToInvite, limits } from '../rules.ts'
import { testUsers } from '../tables.ts'

const batch = 50
type UserRow = typeof testUsers.$inferSelect

/** Mails everybody who is to be invited; a job that runs again goes on where it was. */
export async function mailInvitations(ctx: Context, job: JobRun): Promise<void> {
  const { groupId, userIds } = job.input as { groupId?: string; userIds?: string[] }
  let after = '0'
  let sent = 0
  for (;;) {
    const users = await ctx.transact(inner =>
      inner.db
        .select()
        .from(testUsers)
        .where(
          and(
            groupId === undefined ? inArray(testUsers.userId, userIds ?? []) : eq(testUsers.groupId, groupId),
            gt(testUsers.userId, after),
            toBeInvited(inner),
          ),
        )
        .orderBy(testUsers.userId)
        .limit(batch),
    )
    const last = users.at(-1)
    if (!last) return
    const [app] = await ctx.transact(inner => appsOf(inner, [last.appId]))
    if (app?.lifecycle !== 'ACTIVE') return
    for (const user of users) {
      job.signal.throwIfAborted()
      await inviteOne(ctx, app, user)
      await ctx.transact(inner => noteInvited(inner, user))
      sent++
    }
    after = last.userId
    await job.progress('mails', Math.min(99, sent))
  }
}

/** As `isToInvite` of the rules, in SQL. */
export function toBeInvited(ctx: Context) {
  const before = ctx.now() - limits.inviteAgainMs
  return or(
    eq(testUsers.state, 'ADDED'),
    and(eq(testUsers.state, 'INVITED'), sql`coalesce(${testUsers.invitedAt}, 0) <= ${before}`),
  )
}

async function noteInvited(ctx: Context, user: UserRow): Promise<void> {
  const now = ctx.now()
  if (!isToInvite(user, now)) return
  await ctx.db
    .update(testUsers)
    .set({ state: 'INVITED', invitedAt: now, updatedAt: now, revision: sql`${testUsers.revision} + 1` })
    .where(and(eq(testUsers.userId, user.userId), inArray(testUsers.state, ['ADDED', 'INVITED'])))
}

async function inviteOne(ctx: Context, app: AppRow, user: UserRow): Promise<void> {
  const day = Math.floor(ctx.now() / 86_400_000)
  const until = new Date(ctx.now() + limits.inviteMs).toISOString().slice(0, 10)
  const page = pageOfHolder(ctx, { kind: 'user', userId: user.userId })
  const said = invitation[mailLanguage(app.defaultLang)](plain(app.name), page, until)
  await reachPerson(ctx, app, user.account, { ...said, page, id: `beta-${user.userId}-${day}` })
}

export function mailLanguage(lang: string): Language {
  const tongue = lang.slice(0, 2)
  return tongue === 'zh' || tongue === 'ru' ? tongue : 'en'
}

/** One line, whatever was written. */
export function plain(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]+/gu, ' ').trim()
}

const invitation = {
  zh: (app: string, page: string, until: string) => ({
    subject: `邀请您测试 ${app}`,
    text: `${app} 的开发者邀请您参与测试。\n\n在手机上打开以下页面，即可加入或拒绝（${until} 前有效）。该地址仅供您本人使用，请勿转发：\n${page}\n\n如果您不想参与测试，忽略此邮件即可。\n`,
  }),
  en: (app: string, page: string, until: string) => ({
    subject: `An invitation to test ${app}`,
    text: `The developer of ${app} invites you to test it.\n\nOpen this page on your phone to join or to say no, until ${until}. The address is yours alone, do not pass it on:\n${page}\n\nIf you do not want to test, ignore this mail.\n`,
  }),
  ru: (app: string, page: string, until: string) => ({
    subject: `Приглашение к тестированию: ${app}`,
    text: `Разработчик приложения ${app} приглашает вас принять участие в тестировании.\n\nОткройте эту страницу на телефоне, чтобы согласиться или отказаться (до ${until}). Адрес предназначен только для вас, не передавайте его другим:\n${page}\n\nЕсли вы не хотите участвовать, просто не отвечайте на это письмо.\n`,
  }),
} as const
