import type { LocalText } from '../../../kernel/language.ts'
import type { Event, Listener } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'
import { type nameByLang, tagName } from './tags.ts'

interface Told {
  title: LocalText
  text: LocalText
}

const dateOf = (at: unknown) => new Date(Number(at)).toISOString().slice(0, 10)

/** What is told of an event; null where nobody needs to know. */
function wordsOf(event: Event, name: string, tag: ReturnType<typeof nameByLang>): Told | null {
  const reason = String(event.data['reason'] ?? '').slice(0, 500)
  const on = { zh: `${name}（${tag.zhCN}）`, en: `${name} (${tag.enUS})`, ru: `${name} (${tag.ruRU})` }
  const { daysLeft, expireAt } = event.data
  const told: Record<string, Told> = {
    'qualification.passed': {
      title: {
        zh: `${on.zh}的资质已通过审核`,
        en: `The qualification of ${on.en} has passed`,
        ru: `Документы для ${on.ru} приняты`,
      },
      text: {
        zh: '现在可以将该应用提交到需要此资质的国家或地区。',
        en: 'The app can be submitted for the countries that ask for it.',
        ru: 'Приложение можно отправлять в страны, где эти документы нужны.',
      },
    },
    'qualification.failed': {
      title: {
        zh: `${on.zh}的资质未通过审核`,
        en: `The qualification of ${on.en} was refused`,
        ru: `Документы для ${on.ru} отклонены`,
      },
      text: { zh: reason, en: reason, ru: reason },
    },
    'qualification.asked': {
      title: {
        zh: `应用市场就${on.zh}的资质提出了问题`,
        en: `The store asks about the qualification of ${on.en}`,
        ru: `У магазина вопрос о документах для ${on.ru}`,
      },
      text: {
        zh: '请在资质页面回复；回复前审核不会继续。',
        en: 'Answer on the page of qualifications; nothing goes on before.',
        ru: 'Ответьте на странице документов: до ответа проверка стоит.',
      },
    },
    'qualification.revoked': {
      title: {
        zh: `${on.zh}的资质已被撤销`,
        en: `The qualification of ${on.en} was revoked`,
        ru: `Документы для ${on.ru} отозваны`,
      },
      text: {
        zh: `${reason} 14 天内未提供新资质，应用将被下架。`,
        en: `${reason} Without a new one the app comes off the shelf in 14 days.`,
        ru: `${reason} Без новых документов приложение снимут с публикации через 14 дней.`,
      },
    },
    'qualification.expiring': {
      title: {
        zh: `${on.zh}的资质将在 ${daysLeft} 天后到期`,
        en: `The qualification of ${on.en} ends in ${daysLeft} days`,
        ru: `Документы для ${on.ru}: осталось дней — ${daysLeft}`,
      },
      text: {
        zh: `到期日：${dateOf(expireAt)}。请提前提交新的资质。`,
        en: `It ends on ${dateOf(expireAt)}. Hand in a new one in time.`,
        ru: `Срок до ${dateOf(expireAt)}. Подайте новые документы заранее.`,
      },
    },
    'qualification.expired': {
      title: {
        zh: `${on.zh}的资质已到期`,
        en: `The qualification of ${on.en} has ended`,
        ru: `Срок документов для ${on.ru} истёк`,
      },
      text: {
        zh: '14 天内未提供新资质，应用将被下架；在此之前无法提交新版本。',
        en: 'Without a new one the app comes off the shelf in 14 days; no version can be submitted before.',
        ru: 'Без новых документов приложение снимут через 14 дней; новые версии пока не отправить.',
      },
    },
  }
  return told[event.type] ?? null
}

/** Whoever hands papers in hears what became of them, and in time that they end. */
export const qualificationNotices: Listener = {
  name: 'qualification.notices',
  on: ['passed', 'failed', 'asked', 'revoked', 'expiring', 'expired'].map(one => `qualification.${one}`),
  run: async (ctx, event) => {
    const [app] = await appsOf(ctx, [String(event.data['appId'])])
    const words = app && wordsOf(event, app.name, tagName(Number(event.data['tagId'])))
    if (!app || !words) return
    const { appId, projectId, teamId } = app
    await notify(ctx, {
      to: { teamId, permission: 'qualification.submit', about: { appId, projectId } },
      category: 'review',
      kind: event.type,
      entityId: event.entityId,
      href: `/apps/${appId}/qualifications`,
      ...words,
    })
  },
}
