import type { Event, Listener } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'
import { appsOf } from '../../apps/public.ts'
import { type Acted, gateActed } from '../gates/notices.ts'
import { versionsOf } from '../public.ts'

type Said = Pick<Parameters<typeof notify>[1], 'title' | 'text'>

const started = (thing: string, percent: string): Said => ({
  title: {
    zh: `${thing} 已开始分阶段发布`,
    en: `${thing} is being rolled out`,
    ru: `${thing}: начат поэтапный выпуск`,
  },
  text: {
    zh: `目前 ${percent}% 的设备可以获取此版本，其余设备继续使用完整发布的版本。`,
    en: `${percent} % of devices can get it now; the others keep getting the full version.`,
    ru: `Сейчас версию получают ${percent} % устройств, остальные по-прежнему получают полную версию.`,
  },
})

const completed = (thing: string): Said => ({
  title: { zh: `${thing} 已全量发布`, en: `${thing} is out to everybody`, ru: `${thing}: выпущено для всех` },
  text: {
    zh: '分阶段发布已完成，此版本取代了之前的版本。',
    en: 'The phased release is complete, and the version before is superseded.',
    ru: 'Поэтапный выпуск завершён, предыдущая версия заменена.',
  },
})

const ranOut = (thing: string): Said => ({
  title: {
    zh: `${thing} 的分阶段发布已取消`,
    en: `The phased release of ${thing} is cancelled`,
    ru: `${thing}: поэтапный выпуск отменён`,
  },
  text: {
    zh: '暂停时间累计已满 30 天，因此该版本已离开商店。已安装的设备会保留它，其余设备继续使用完整发布的版本。',
    en: 'It stood still for 30 days in all, so the version has left the store. Who has it keeps it; the others get the full version.',
    ru: 'В сумме он простоял 30 дней, поэтому версия снята. У кого она установлена, у тех останется; остальные получают полную версию.',
  },
})

const replaced = (thing: string): Said => ({
  title: ranOut(thing).title,
  text: {
    zh: '更新的版本已上架，因此它的分阶段发布到此结束。',
    en: 'A newer version went on the shelf, and its own rollout ended with that.',
    ru: 'Опубликована более новая версия, и на этом выпуск закончился.',
  },
})

const rolledBack = (thing: string, reason: string): Said => ({
  title: { zh: `${thing} 已回滚`, en: `${thing} is rolled back`, ru: `${thing}: выполнен откат` },
  text: { zh: `原因：${reason}`, en: `Why: ${reason}`, ru: `Причина: ${reason}` },
})

const endCame = (thing: string): Said => ({
  title: ranOut(thing).title,
  text: {
    zh: '设定的结束时间已到，而发布尚未完成，因此该版本已离开商店。已安装的设备会保留它，其余设备继续使用完整发布的版本。',
    en: 'Its end came before it was complete, so the version has left the store. Who has it keeps it; the others get the full version.',
    ru: 'Назначенный срок наступил раньше, чем выпуск завершился, поэтому версия снята. У кого она установлена, у тех останется; остальные получают полную версию.',
  },
})

function say(event: Event, thing: string): Said | null {
  const { reason, percent } = event.data as { reason?: string; percent?: string }
  if (event.type === 'phased.started') return started(thing, percent ?? '')
  if (event.type === 'phased.completed') return completed(thing)
  // A gate that acted has a notice of its own.
  if (reason === 'gate') return null
  if (event.type === 'phased.gate_tripped') return gateActed(thing, event.data as unknown as Acted)
  if (event.type === 'version.rolled_back') return rolledBack(thing, reason ?? '')
  if (reason === 'endTime') return endCame(thing)
  if (reason === 'pauseBudget') return ranOut(thing)
  return reason === 'newer' ? replaced(thing) : null
}

/** What those who release should know though they pressed no button, or somebody else did. */
export const phasedNotices: Listener = {
  name: 'versions.phasedNotices',
  on: ['phased.started', 'phased.completed', 'phased.cancelled', 'phased.gate_tripped', 'version.rolled_back'],
  run: async (ctx, event) => {
    const [version] = await versionsOf(ctx, [event.entityId])
    const [app] = version ? await appsOf(ctx, [version.appId]) : []
    if (!version || !app) return
    const said = say(event, [app.name, version.versionName].filter(Boolean).join(' '))
    if (!said) return
    const { appId, projectId, teamId } = app
    await notify(ctx, {
      to: { teamId, permission: 'versions.release', about: { appId, projectId } },
      category: 'operations',
      kind: event.type,
      entityId: event.entityId,
      href: `/apps/${appId}/version/${event.entityId}`,
      ...said,
    })
  },
}
