import type { Listener } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'

interface Words {
  zh: string
  en: string
  ru: string
}

/** What the maker hears of what the clock did, by the end of the event's type. */
const heard: Readonly<Record<string, Words>> = {
  waits: {
    zh: '灰度发布的下一步等待批准：',
    en: 'The next step of the rollout waits for approval: ',
    ru: 'Следующий шаг постепенного включения ждёт одобрения: ',
  },
  completed: {
    zh: '灰度发布已完成，所有用户均获得新值：',
    en: 'The rollout is complete, everybody gets the new value: ',
    ru: 'Постепенное включение завершено, новое значение получают все: ',
  },
  paused: {
    zh: '灰度发布无法继续，已暂停：',
    en: 'The rollout could not go on and is paused: ',
    ru: 'Постепенное включение не смогло продолжиться и приостановлено: ',
  },
  cancelled: {
    zh: '灰度发布未能按时开始，已取消：',
    en: 'The rollout could not start at its time and is cancelled: ',
    ru: 'Постепенное включение не началось в срок и отменено: ',
  },
}

/** Whoever made a rollout is told how it ended by itself, that it waits for approval, and why it stands still. */
export const tellRollouts: Listener = {
  name: 'remote_config.rollouts',
  on: ['started', 'advanced', 'paused', 'cancelled'].map(what => `remote_config.rollout_${what}`),
  run: async (ctx, { type, data, entityId }) => {
    const { projectId, kind, name, reason, createdBy, isByClock, waits, to } = data as Record<string, string | null>
    const what = to === 'completed' ? 'completed' : waits ? 'waits' : type.slice('remote_config.rollout_'.length)
    const words = heard[what]
    if (!isByClock || !createdBy || !words) return
    await notify(ctx, {
      to: { accountIds: [createdBy] },
      category: 'operations',
      kind: `remoteConfig.rollout.${what}`,
      title: { zh: `${words.zh}${name}`, en: `${words.en}${name}`, ru: `${words.ru}${name}` },
      text: { zh: reason ?? '', en: reason ?? '', ru: reason ?? '' },
      href: `/remote-config?projectId=${projectId}&kind=${kind}&tab=rollouts&rollout=${entityId}`,
      entityId,
    })
  },
}
