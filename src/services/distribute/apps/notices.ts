import type { Listener } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from './public.ts'

type Words = (name: string) => Pick<Parameters<typeof notify>[1], 'title' | 'text'>

const words: Readonly<Record<string, Words>> = {
  'app.frozen': name => ({
    title: { zh: `${name} 已被商店冻结`, en: `The store has frozen ${name}`, ru: `Магазин заморозил ${name}` },
    text: {
      zh: '在解冻之前，设备无法获取它，也不能修改；应用页面说明了原因。',
      en: 'Until that ends devices cannot get it and nothing of it can be changed; its page says why.',
      ru: 'До конца заморозки устройства его не получат и менять ничего нельзя; причина указана на его странице.',
    },
  }),
  'app.unfrozen': name => ({
    title: { zh: `${name} 已解冻`, en: `${name} is no longer frozen`, ru: `${name} больше не заморожено` },
    text: {
      zh: '设备可以再次获取它。',
      en: 'Devices can get it again.',
      ru: 'Устройства снова могут его получить.',
    },
  }),
}

/** What the store did with a whole app, told to those who look after it. */
export const appNotices: Listener = {
  name: 'apps.notices',
  on: Object.keys(words),
  run: async (ctx, event) => {
    const [app] = await appsOf(ctx, [event.entityId])
    const say = words[event.type]
    if (!app || !say) return
    const { appId, projectId, teamId, name } = app
    await notify(ctx, {
      to: { teamId, permission: 'apps.edit', about: { appId, projectId } },
      category: 'operations',
      kind: event.type,
      entityId: appId,
      href: `/apps/${appId}`,
      ...say(name),
    })
  },
}
