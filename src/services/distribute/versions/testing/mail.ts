import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { type AppRow, appsOf } from '../../apps/public.ts'
import { addressesOf, noteTold, peopleToTell, tellPerson } from '../../beta-test/public.ts'
import { type TestRecord, testsOfIds } from './queries.ts'

const batch = 50

/** Mails everybody in the groups of a running test who was not told of it; a job that runs again goes on where it was. */
export async function mailTesters(ctx: Context, job: JobRun): Promise<void> {
  const versionId = String(job.input['versionId'])
  const sent = new Set<string>()
  let after = '0'
  for (;;) {
    const found = await ctx.transact(inner => nextOf(inner, versionId, after))
    const last = found?.users.at(-1)
    if (!found || !last) return
    for (const user of found.users) {
      job.signal.throwIfAborted()
      if (!sent.has(user.account)) await mailOne(ctx, found, user)
      sent.add(user.account)
      await ctx.transact(inner => noteTold(inner, user.userId, versionId))
    }
    after = last.userId
    await job.progress('mails', Math.min(99, sent.size))
  }
}

interface Person {
  userId: string
  account: string
}

interface Found {
  test: TestRecord
  app: AppRow
  language: 'zh' | 'en' | 'ru'
  users: Person[]
}

async function nextOf(ctx: Context, versionId: string, after: string): Promise<Found | null> {
  const [test] = await testsOfIds(ctx, [versionId])
  const [app] = test ? await appsOf(ctx, [test.appId]) : []
  if (!app || test?.state !== 'TESTING' || (test.endAt ?? 0) <= ctx.now() || test.groupIds.length === 0) return null
  const users = await peopleToTell(ctx, { groupIds: test.groupIds, versionId, after, limit: batch })
  const tongue = app.defaultLang.slice(0, 2)
  return { test, app, language: tongue === 'zh' || tongue === 'ru' ? tongue : 'en', users }
}

async function mailOne(ctx: Context, { test, app, language }: Found, user: Person): Promise<void> {
  const { page, repository } = addressesOf(ctx, { kind: 'user', userId: user.userId })
  const thing = plain([app.name, test.versionName].filter(Boolean).join(' '))
  const until = new Date(test.endAt ?? 0).toISOString().slice(0, 10)
  const said = words[language](thing, plain(test.testDesc), repository, until, page)
  await tellPerson(ctx, app, user.account, { ...said, page, id: `test-${test.versionId}-${user.userId}` })
}

const words = {
  zh: (thing: string, desc: string, address: string, until: string, page: string) => ({
    subject: `邀请您测试 ${thing}`,
    text: `${thing} 已开放测试，截止日期 ${until}。\n\n测试内容：${desc}\n\n在 F-Droid 客户端中添加以下软件源即可安装并自动更新。该地址仅供您本人使用，请勿转发：\n${address}\n\n说明与二维码：\n${page}\n\n如果您不想参与测试，忽略此邮件即可。\n`,
  }),
  en: (thing: string, desc: string, address: string, until: string, page: string) => ({
    subject: `Please test ${thing}`,
    text: `${thing} can be tested until ${until}.\n\nWhat to test: ${desc}\n\nAdd this repository to an F-Droid client; it installs the test and keeps it up to date. The address is yours alone, do not pass it on:\n${address}\n\nAll of it on a page, with a code to scan:\n${page}\n\nIf you do not want to test, ignore this mail.\n`,
  }),
  ru: (thing: string, desc: string, address: string, until: string, page: string) => ({
    subject: `Приглашение к тестированию: ${thing}`,
    text: `${thing} можно тестировать до ${until}.\n\nЧто проверить: ${desc}\n\nДобавьте этот репозиторий в клиент F-Droid: он установит тестовую версию и будет её обновлять. Адрес предназначен только для вас, не передавайте его другим:\n${address}\n\nТо же на странице, с кодом для сканирования:\n${page}\n\nЕсли вы не хотите участвовать, просто не отвечайте на это письмо.\n`,
  }),
} as const

/** One line, whatever the developer wrote. */
function plain(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]+/gu, ' ').trim()
}
