import type { Listener } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'
import { appsOf } from '../../apps/public.ts'
import { testsOfIds } from './queries.ts'

type Words = (thing: string) => Pick<Parameters<typeof notify>[1], 'title' | 'text' | 'category'>

const words: Readonly<Record<string, Words>> = {
  'test.approved': thing => ({
    category: 'review',
    title: { zh: `${thing} 的测试已通过审核`, en: `The test of ${thing} passed`, ru: `${thing}: тест одобрен` },
    text: {
      zh: '测试人员将在开始时间后获取此版本。',
      en: 'Testers get it from its start on.',
      ru: 'Тестировщики получат версию с момента начала теста.',
    },
  }),
  'test.rejected': thing => ({
    category: 'review',
    title: { zh: `${thing} 的测试未通过审核`, en: `The test of ${thing} was refused`, ru: `${thing}: тест отклонён` },
    text: {
      zh: '测试页面列出了原因；修改后可重新发布。',
      en: 'The page of tests says why; release it again when that is changed.',
      ru: 'Причина указана на странице тестов; исправьте и запустите снова.',
    },
  }),
  'test.expired': thing => ({
    category: 'operations',
    title: { zh: `${thing} 的测试已结束`, en: `The test of ${thing} is over`, ru: `${thing}: тест завершён` },
    text: {
      zh: '测试人员不再能获取此版本。',
      en: 'Testers cannot get it any more.',
      ru: 'Тестировщики больше не могут получить эту версию.',
    },
  }),
  'test.quota.reached': thing => ({
    category: 'operations',
    title: {
      zh: `${thing} 的测试名额已满`,
      en: `The test of ${thing} is full`,
      ru: `${thing}: все места в тесте заняты`,
    },
    text: {
      zh: '新设备无法再加入；您可以提高安装上限。',
      en: 'No new device can join; you can raise the limit of installs.',
      ru: 'Новые устройства присоединиться не могут; лимит установок можно увеличить.',
    },
  }),
}

/** What happened to a test without its developer pressing a button. */
export const testNotices: Listener = {
  name: 'versions.testNotices',
  on: Object.keys(words),
  run: async (ctx, event) => {
    const [test] = await testsOfIds(ctx, [event.entityId])
    const [app] = test ? await appsOf(ctx, [test.appId]) : []
    const say = words[event.type]
    if (!test || !app || !say) return
    const { appId, projectId, teamId } = app
    await notify(ctx, {
      to: { teamId, permission: 'versions.test', about: { appId, projectId } },
      kind: event.type,
      entityId: event.entityId,
      href: `/apps/${appId}/tests`,
      ...say([app.name, test.versionName].filter(Boolean).join(' ')),
    })
  },
}
