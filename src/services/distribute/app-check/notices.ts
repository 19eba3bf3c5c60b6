import type { Listener } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'
import { checksOf } from './queries.ts'

const titles = {
  PASSED: (name: string) => ({
    zh: `${name} 的自检已通过`,
    en: `The check of ${name} passed`,
    ru: `Проверка ${name} пройдена`,
  }),
  FAILED: (name: string) => ({
    zh: `${name} 的自检发现必须修改的问题`,
    en: `The check of ${name} found what must be fixed`,
    ru: `Проверка ${name} нашла, что нужно исправить`,
  }),
  EXPIRED: (name: string) => ({
    zh: `${name} 的自检未能完成`,
    en: `The check of ${name} could not be finished`,
    ru: `Проверку ${name} завершить не удалось`,
  }),
}

/** Who began a check hears that it has ended, and by mail where he wants that. */
export const checkNotices: Listener = {
  name: 'appCheck.notices',
  on: ['check.finished'],
  run: async (ctx, event) => {
    const [check] = await checksOf(ctx, [event.entityId])
    const [app] = check ? await appsOf(ctx, [check.appId]) : []
    if (!check || !app || check.state === 'WAITING' || check.state === 'RUNNING') return
    await notify(ctx, {
      to: { accountIds: [check.createdBy] },
      category: 'operations',
      kind: event.type,
      entityId: check.checkId,
      href: `/checks/${check.checkId}`,
      title: titles[check.state](app.name),
      text: {
        zh: '报告列出了每条规则的结果以及修改方法。',
        en: 'The report says what each rule found, and what to do.',
        ru: 'В отчёте — результат каждого правила и что сделать.',
      },
    })
  },
}
