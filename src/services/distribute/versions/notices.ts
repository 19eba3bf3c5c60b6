import type { Listener } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'
import { versionsOf } from './public.ts'

type Words = (thing: string) => Pick<Parameters<typeof notify>[1], 'title' | 'text' | 'category'>

const words: Readonly<Record<string, Words>> = {
  'version.on_shelf': thing => ({
    category: 'operations',
    title: { zh: `${thing} 已上架`, en: `${thing} is on the shelf`, ru: `${thing}: опубликовано в магазине` },
    text: {
      zh: '设备现在可以获取此版本。',
      en: 'Devices can get this version now.',
      ru: 'Теперь устройства могут получить эту версию.',
    },
  }),
  'version.precheck.failed': thing => ({
    category: 'review',
    title: {
      zh: `${thing} 未通过预检`,
      en: `${thing} did not pass the precheck`,
      ru: `${thing}: предварительная проверка не пройдена`,
    },
    text: {
      zh: '请在版本页面查看原因，修改后重新提交。',
      en: 'The page of the version says why; change it and submit again.',
      ru: 'Причина указана на странице версии: исправьте и отправьте снова.',
    },
  }),
}

/** What happened to a version without anybody pressing a button. */
export const versionNotices: Listener = {
  name: 'versions.notices',
  on: Object.keys(words),
  run: async (ctx, event) => {
    const [version] = await versionsOf(ctx, [event.entityId])
    const [app] = version ? await appsOf(ctx, [version.appId]) : []
    const say = words[event.type]
    if (!version || !app || !say) return
    const { appId, projectId, teamId } = app
    await notify(ctx, {
      to: { teamId, permission: 'versions.submit', about: { appId, projectId } },
      kind: event.type,
      entityId: event.entityId,
      href: `/apps/${appId}/version/${event.entityId}`,
      ...say([app.name, version.versionName].filter(Boolean).join(' ')),
    })
  },
}
