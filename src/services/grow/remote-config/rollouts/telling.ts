import { wordsOf } from '../../../../kernel/ramp/finding-words.ts'
import type { Finding } from '../../../../kernel/ramp/guards.ts'
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
  rolled_back: {
    zh: '护栏指标未通过，灰度发布已自动回滚：',
    en: 'A guardrail failed and the rollout is rolled back: ',
    ru: 'Ограничитель нарушен, постепенное включение отменено: ',
  },
  held: {
    zh: '信号指标未通过，灰度发布已自动暂停：',
    en: 'A signal failed and the rollout is paused: ',
    ru: 'Сигнальная метрика ухудшилась, постепенное включение приостановлено: ',
  },
  resumed: {
    zh: '信号指标已恢复，灰度发布继续：',
    en: 'The signal has recovered and the rollout goes on: ',
    ru: 'Сигнальная метрика восстановилась, постепенное включение продолжается: ',
  },
  splitBack: {
    zh: '分流比例异常，灰度发布已自动回滚：',
    en: 'The split is not as the step says and the rollout is rolled back: ',
    ru: 'Доли не соответствуют шагу, постепенное включение отменено: ',
  },
  splitHeld: {
    zh: '分流比例异常，灰度发布已自动暂停：',
    en: 'The split is not as the step says and the rollout is paused: ',
    ru: 'Доли не соответствуют шагу, постепенное включение приостановлено: ',
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

function whatOf(did: string, cause: string): string {
  if (did === 'resumed') return did
  if (cause === 'split') return did === 'paused' ? 'splitHeld' : 'splitBack'
  return did === 'paused' ? 'held' : did
}

/** Whoever made a rollout is told how it ended by itself, that it waits for approval, and why it stands still. */
export const tellRollouts: Listener = {
  name: 'remote_config.rollouts',
  on: ['started', 'advanced', 'paused', 'resumed', 'rolled_back', 'cancelled'].map(
    what => `remote_config.rollout_${what}`,
  ),
  run: async (ctx, { type, data: { finding, ...data }, entityId }) => {
    const { projectId, kind, name, reason, createdBy, isByClock, waits, cause, to } = data as Record<
      string,
      string | null
    >
    const did = type.slice('remote_config.rollout_'.length)
    const what = cause ? whatOf(did, cause) : to === 'completed' ? 'completed' : waits ? 'waits' : did
    const words = heard[what]
    if (!isByClock || !createdBy || !words) return
    await notify(ctx, {
      to: { accountIds: [createdBy] },
      category: 'operations',
      kind: `remoteConfig.rollout.${what}`,
      title: { zh: `${words.zh}${name}`, en: `${words.en}${name}`, ru: `${words.ru}${name}` },
      text: finding ? wordsOf(finding as Finding) : { zh: reason ?? '', en: reason ?? '', ru: reason ?? '' },
      href: `/remote-config?projectId=${projectId}&kind=${kind}&tab=rollouts&rollout=${entityId}`,
      entityId,
    })
  },
}
