import type { Context } from '../../../server/context.ts'
import type { Listener } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'
import { versionsOf } from '../versions/public.ts'

type Words = (thing: string) => Pick<Parameters<typeof notify>[1], 'title' | 'text'>

const words: Readonly<Record<string, Words>> = {
  'version.approved': thing => ({
    title: { zh: `${thing} 已通过审核`, en: `${thing} passed the review`, ru: `${thing}: проверка пройдена` },
    text: {
      zh: '它将按您选择的方式上架。',
      en: 'It goes on the shelf as you chose.',
      ru: 'Версия появится в магазине так, как вы выбрали.',
    },
  }),
  'version.rejected': thing => ({
    title: { zh: `${thing} 未通过审核`, en: `${thing} was not approved`, ru: `${thing}: проверка не пройдена` },
    text: {
      zh: '提交页面列出了每个问题及修改方法。',
      en: 'The submission lists each issue and what to change.',
      ru: 'На странице отправки перечислено, что исправить.',
    },
  }),
  'review.task.asked': thing => ({
    title: {
      zh: `审核员对 ${thing} 有疑问`,
      en: `A reviewer asks about ${thing}`,
      ru: `Вопрос проверяющего: ${thing}`,
    },
    text: {
      zh: '在您回复之前，审核时钟暂停。',
      en: 'The clock of the review stands still until you answer.',
      ru: 'До вашего ответа срок проверки не идёт.',
    },
  }),
}

/** What the desk decided or asks is told to those who may hand in versions of the app. */
export const reviewNotices: Listener = {
  name: 'review.notices',
  on: Object.keys(words),
  run: async (ctx, event) => {
    const versionId = event.entity === 'version' ? event.entityId : String(event.data['versionId'] ?? '')
    const subject = await subjectOf(ctx, versionId)
    const say = words[event.type]
    if (!subject || !say) return
    const { appId, projectId, teamId, thing } = subject
    await notify(ctx, {
      to: { teamId, permission: 'versions.submit', about: { appId, projectId } },
      category: 'review',
      kind: event.type,
      entityId: versionId,
      href: `/apps/${appId}/submission`,
      ...say(thing),
    })
  },
}

async function subjectOf(ctx: Context, versionId: string) {
  const [version] = /^[1-9][0-9]*$/.test(versionId) ? await versionsOf(ctx, [versionId]) : []
  const [app] = version ? await appsOf(ctx, [version.appId]) : []
  return version && app && { ...app, thing: [app.name, version.versionName].filter(Boolean).join(' ') }
}
