import type { Event, Listener } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'
import { appsOf } from '../../apps/public.ts'

interface Words {
  zh: string
  en: string
  ru: string
}

type Say = (test: string, app: string) => { title: Words; text: Words }

const sayings: Readonly<Record<string, Say>> = {
  'material.approved': (test, app) => ({
    title: {
      zh: `${app} 的素材测试“${test}”已通过审核`,
      en: `The material test “${test}” of ${app} was approved`,
      ru: `Тест материалов «${test}» приложения ${app} одобрен`,
    },
    text: {
      zh: '测试将按您选择的启动方式开始。',
      en: 'It starts the way you chose.',
      ru: 'Он начнётся так, как вы выбрали.',
    },
  }),
  'material.rejected': (test, app) => ({
    title: {
      zh: `${app} 的素材测试“${test}”未通过审核`,
      en: `The material test “${test}” of ${app} was not approved`,
      ru: `Тест материалов «${test}» приложения ${app} не одобрен`,
    },
    text: {
      zh: '请查看审核意见，修改后再次提交。',
      en: 'Read what the reviewer said, change the test and submit it again.',
      ru: 'Прочитайте замечание, измените тест и отправьте снова.',
    },
  }),
  'material.stopped': (test, app) => ({
    title: {
      zh: `${app} 的素材测试“${test}”已结束`,
      en: `The material test “${test}” of ${app} has ended`,
      ru: `Тест материалов «${test}» приложения ${app} завершён`,
    },
    text: {
      zh: '所有人再次看到在架的页面。请查看结果，需要时应用更好的版本。',
      en: 'Everybody sees the page on shelf again. Look at the result and apply the better variant.',
      ru: 'Все снова видят опубликованную страницу. Посмотрите результат и примените лучший вариант.',
    },
  }),
}

/** Whoever prepares what the store shows hears how a review ended, and that a test ended without him. */
export const testNotices: Listener = {
  name: 'material.notices',
  on: Object.keys(sayings),
  run: async (ctx, event) => {
    const say = sayings[event.type]
    const [app] = await appsOf(ctx, [String(event.data['appId'])])
    if (!app || !say || isByDeveloper(event)) return
    const { appId, projectId, teamId, name } = app
    await notify(ctx, {
      to: { teamId, permission: 'material.edit', about: { appId, projectId } },
      category: 'review',
      kind: event.type,
      entityId: event.entityId,
      href: `/apps/${appId}/material-tests/${event.entityId}`,
      ...say(String(event.data['name']), name),
    })
  },
}

const isByDeveloper = ({ data }: Event) => data['stopReason'] === 'DEVELOPER'
