import type { Context } from '../../../../../server/context.ts'
import type { Listener } from '../../../../../server/work.ts'
import { notify } from '../../../../ground/notices/public.ts'

interface Words {
  zh: string
  en: string
  ru: string
}

const asked: Record<'start' | 'complete', Words> = {
  start: {
    zh: '灰度发布的启动等待审批：',
    en: 'The start of a rollout waits for your agreement: ',
    ru: 'Запуск постепенного включения ждёт вашего согласия: ',
  },
  complete: {
    zh: '灰度发布的完成等待审批：',
    en: 'The completion of a rollout waits for your agreement: ',
    ru: 'Завершение постепенного включения ждёт вашего согласия: ',
  },
}

const answered: Record<'agreed' | 'refused', Words> = {
  agreed: {
    zh: '其他成员已同意，灰度发布已按申请执行：',
    en: 'Others agreed and what you asked for is done: ',
    ru: 'Согласие получено, запрошенное выполнено: ',
  },
  refused: {
    zh: '您对灰度发布的申请被拒绝：',
    en: 'What you asked for is refused: ',
    ru: 'Ваш запрос отклонён: ',
  },
}

/** Who may publish is told that others are asked; who asked, how it ended. */
export const tellAgreement: Listener = {
  name: 'remote_config.rollout_agreement',
  on: ['asked', 'agreed', 'refused'].map(what => `remote_config.rollout_${what}`),
  run: async (ctx, { type, data, entityId, teamId }) => {
    const { projectId, kind, name, reason, askedBy, what, isEnough } = data as Record<string, string | null>
    const did = type.slice('remote_config.rollout_'.length)
    const send = (words: Words, to: Parameters<typeof notify>[1]['to']) =>
      notify(ctx as Context, {
        ...{ to, category: 'operations', kind: `remoteConfig.rollout.${did}`, entityId },
        title: { zh: `${words.zh}${name}`, en: `${words.en}${name}`, ru: `${words.ru}${name}` },
        text: { zh: reason ?? '', en: reason ?? '', ru: reason ?? '' },
        href: `/remote-config?projectId=${projectId}&kind=${kind}&tab=rollouts&rollout=${entityId}`,
      })
    if (did === 'asked') {
      const about = { projectId: String(projectId) }
      const words = asked[what === 'complete' ? 'complete' : 'start']
      if (teamId) await send(words, { teamId, permission: 'remoteConfig.publish', about })
      return
    }
    if (!askedBy || (did === 'agreed' && !isEnough)) return
    await send(answered[did === 'agreed' ? 'agreed' : 'refused'], { accountIds: [askedBy] })
  },
}
