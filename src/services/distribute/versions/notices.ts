import type { Event, Listener } from '../../../server/work.ts'
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
  'version.submit.failed': thing => ({
    category: 'review',
    title: {
      zh: `${thing} 未能提交`,
      en: `${thing} could not be submitted`,
      ru: `${thing}: передать не удалось`,
    },
    text: {
      zh: '软件包已处理完毕，但版本尚未就绪；版本页面列出了原因。',
      en: 'Its package is processed, and something else stands in the way; the page of the version says what.',
      ru: 'Пакет обработан, но мешает что-то ещё; причина указана на странице версии.',
    },
  }),
  'version.expired': thing => ({
    category: 'review',
    title: {
      zh: `${thing} 长期未发布，已撤回`,
      en: `${thing} was not released and is withdrawn`,
      ru: `${thing}: не выпущена вовремя и отозвана`,
    },
    text: {
      zh: '请重新提交以再次审核。',
      en: 'Submit it again to have it reviewed anew.',
      ru: 'Передайте её снова, чтобы пройти проверку заново.',
    },
  }),
  'version.forced_off': thing => ({
    category: 'operations',
    title: {
      zh: `${thing} 已被商店下架`,
      en: `The store took ${thing} off the shelf`,
      ru: `${thing}: снято магазином`,
    },
    text: {
      zh: '版本页面说明了原因。',
      en: 'The page of the version says why.',
      ru: 'Причина указана на странице версии.',
    },
  }),
  'version.restored': thing => ({
    category: 'operations',
    title: { zh: `${thing} 已恢复上架`, en: `${thing} is back on the shelf`, ru: `${thing}: снова в магазине` },
    text: {
      zh: '设备现在可以再次获取此版本。',
      en: 'Devices can get this version again.',
      ru: 'Устройства снова могут получить эту версию.',
    },
  }),
  'version.off_shelf': thing => ({
    category: 'operations',
    title: {
      zh: `${thing} 已按您的申请下架`,
      en: `${thing} is off the shelf as you asked`,
      ru: `${thing}: снято по вашей просьбе`,
    },
    text: {
      zh: '设备不再能获取此版本。',
      en: 'Devices cannot get this version any more.',
      ru: 'Устройства больше не могут получить эту версию.',
    },
  }),
  'version.shelfoff.refused': thing => ({
    category: 'review',
    title: {
      zh: `${thing} 的下架申请未通过`,
      en: `${thing} stays on the shelf`,
      ru: `${thing}: остаётся в магазине`,
    },
    text: {
      zh: '商店未同意下架；版本页面说明了原因。',
      en: 'The store did not agree to take it off; the page of the version says why.',
      ru: 'Магазин не согласился снять версию; причина указана на её странице.',
    },
  }),
  'version.forward.failed': thing => ({
    category: 'operations',
    title: {
      zh: `${thing}：旧版本未能重新发布`,
      en: `The older build does not come again over ${thing}`,
      ru: `${thing}: прежняя сборка не выйдет заново`,
    },
    text: {
      zh: '被回滚版本的页面说明了原因。',
      en: 'The page of the version that was rolled back says why.',
      ru: 'Причина указана на странице версии, которую откатили.',
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

/** A shelf-off that the store looked at; those of the developer himself he knows. */
const wasLookedAt = (event: Event) =>
  // Of a phased release its own notices tell.
  (event.data['to'] !== 'PHASED' && event.data['from'] !== 'PHASED' && event.type !== 'version.off_shelf') ||
  event.data['from'] === 'SHELF_OFF_REVIEW'

/** What happened to a version without anybody pressing a button. */
export const versionNotices: Listener = {
  name: 'versions.notices',
  on: Object.keys(words),
  run: async (ctx, event) => {
    const [version] = await versionsOf(ctx, [event.entityId])
    const [app] = version ? await appsOf(ctx, [version.appId]) : []
    const say = words[event.type]
    if (!version || !app || !say || !wasLookedAt(event)) return
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
