import type { Context } from '../../../../server/context.ts'
import type { Event, Listener } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'
import type { Kind } from '../rules.ts'
import { overtakeOthers } from './publishing.ts'

/** What was published meanwhile makes conflicts of what stands on the version before. */
const overtake: Listener = {
  name: 'remote_config.overtaken',
  on: ['remote_config.published'],
  run: async (ctx, { data }) => {
    const { projectId, kind } = data as { projectId: string; kind: Kind }
    await overtakeOthers(ctx, { projectId, kind })
  },
}

interface Words {
  zh: string
  en: string
  ru: string
}

const asked: Words = {
  zh: '远程配置变更等待审批：',
  en: 'A change of the remote config waits for approval: ',
  ru: 'Изменение удалённой настройки ждёт одобрения: ',
}

/** What authors hear, by the end of the event's type. */
const heard: Readonly<Record<string, Words>> = {
  approved: { zh: '变更已获批准：', en: 'Your change was approved: ', ru: 'Ваше изменение одобрено: ' },
  rejected: { zh: '变更被驳回：', en: 'Your change was rejected: ', ru: 'Ваше изменение отклонено: ' },
  conflict: {
    zh: '变更与新发布的版本冲突：',
    en: 'Your change stands on a version that is no longer in force: ',
    ru: 'Ваше изменение основано на уже не действующей версии: ',
  },
  published: {
    zh: '变更已按时发布：',
    en: 'Your change was published at its time: ',
    ru: 'Ваше изменение опубликовано в срок: ',
  },
  failed: {
    zh: '变更未能按时发布：',
    en: 'Your change could not be published at its time: ',
    ru: 'Ваше изменение не удалось опубликовать в срок: ',
  },
}

const isToAuthor = ({ type, data }: Event) => {
  if (type.endsWith('_approved')) return data['to'] === 'APPROVED' && data['from'] === 'SUBMITTED'
  return !type.endsWith('_published') || data['origin'] === 'SCHEDULE'
}

const tell: Listener = {
  name: 'remote_config.changes',
  on: ['submitted', 'approved', 'rejected', 'conflict', 'published', 'failed'].map(
    one => `remote_config.change_${one}`,
  ),
  run: async (ctx: Context, event) => {
    const { projectId, kind, createdBy, title, reason, to } = event.data as Record<string, string | undefined>
    const about = { projectId: String(projectId) }
    const send = (words: Words, whom: Parameters<typeof notify>[1]['to']) =>
      notify(ctx, {
        to: whom,
        category: 'operations',
        kind: event.type,
        entityId: event.entityId,
        href: `/remote-config?projectId=${projectId}&kind=${kind}&tab=versions`,
        title: { zh: `${words.zh}${title}`, en: `${words.en}${title}`, ru: `${words.ru}${title}` },
        text: { zh: reason ?? '', en: reason ?? '', ru: reason ?? '' },
      })
    if (event.type.endsWith('_submitted')) {
      const { teamId } = event
      if (to === 'SUBMITTED' && teamId) await send(asked, { teamId, permission: 'remoteConfig.publish', about })
      return
    }
    const words = heard[event.type.slice('remote_config.change_'.length)]
    if (words && createdBy && isToAuthor(event)) await send(words, { accountIds: [createdBy] })
  },
}

export const changeListeners = [overtake, tell]
