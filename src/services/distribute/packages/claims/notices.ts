import { eq } from 'drizzle-orm'
import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Listener } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'
import { packageClaims } from '../tables.home.ts'

type Told = Pick<Parameters<typeof notify>[1], 'title' | 'text'>
type Words = (packageName: string) => Told

/** What who holds the name is told. */
const ofHolder: Readonly<Record<string, Words>> = {
  'claim.created': name => ({
    title: {
      zh: `有团队申请认领您的包名 ${name}`,
      en: `Another team claims your package name ${name}`,
      ru: `Другая команда претендует на ваше имя пакета ${name}`,
    },
    text: {
      zh: '对方需要先提供证明；届时您会收到通知并可提出异议。',
      en: 'It must prove its claim first; you are told then, and can object.',
      ru: 'Сначала она должна это доказать; тогда вам сообщат, и вы сможете возразить.',
    },
  }),
  'claim.verified': name => ({
    title: {
      zh: `包名 ${name} 的认领已得到证明`,
      en: `The claim on ${name} was proven`,
      ru: `Права на ${name} доказаны`,
    },
    text: {
      zh: '如不在期限内提出异议，包名将转移。',
      en: 'The name moves unless you object in time.',
      ru: 'Если вы вовремя не возразите, имя перейдёт.',
    },
  }),
  'claim.granted': name => ({
    title: {
      zh: `包名 ${name} 已转移给另一团队`,
      en: `The package name ${name} went to another team`,
      ru: `Имя пакета ${name} перешло другой команде`,
    },
    text: {
      zh: '您的应用需要新的包名才能继续发布。',
      en: 'Your app needs another name to be published again.',
      ru: 'Чтобы публиковать приложение дальше, нужно другое имя.',
    },
  }),
  'claim.refused': name => ({
    title: {
      zh: `对包名 ${name} 的认领已被驳回`,
      en: `The claim on ${name} was refused`,
      ru: `Притязание на ${name} отклонено`,
    },
    text: { zh: '包名仍属于您。', en: 'The name stays yours.', ru: 'Имя остаётся вашим.' },
  }),
  'claim.canceled': name => ({
    title: {
      zh: `对包名 ${name} 的认领已撤回`,
      en: `The claim on ${name} was withdrawn`,
      ru: `Притязание на ${name} отозвано`,
    },
    text: { zh: '包名仍属于您。', en: 'The name stays yours.', ru: 'Имя остаётся вашим.' },
  }),
}

/** What who claims it is told. */
const ofClaimant: Readonly<Record<string, Words>> = {
  'claim.verified': name => ({
    title: {
      zh: `您对包名 ${name} 的证明有效`,
      en: `Your proof for ${name} holds`,
      ru: `Ваше доказательство для ${name} принято`,
    },
    text: {
      zh: '持有方可在期限内提出异议，之后包名归您。',
      en: 'The holder may object for a while; after that the name is yours.',
      ru: 'Владелец может возразить в течение срока; затем имя станет вашим.',
    },
  }),
  'claim.objected': name => ({
    title: {
      zh: `持有方对包名 ${name} 的认领提出异议`,
      en: `The holder of ${name} objects to your claim`,
      ru: `Владелец ${name} возражает против вашего притязания`,
    },
    text: {
      zh: '商店将作出决定。',
      en: 'The store decides now.',
      ru: 'Теперь решает магазин.',
    },
  }),
  'claim.reviewed': name => ({
    title: {
      zh: `商店将审核您对包名 ${name} 的认领`,
      en: `The store looks at your claim on ${name}`,
      ru: `Магазин рассматривает ваше притязание на ${name}`,
    },
    text: {
      zh: '决定后您会收到通知。',
      en: 'You are told when it has decided.',
      ru: 'О решении вам сообщат.',
    },
  }),
  'claim.granted': name => ({
    title: {
      zh: `包名 ${name} 现在归您`,
      en: `The package name ${name} is yours now`,
      ru: `Имя пакета ${name} теперь ваше`,
    },
    text: {
      zh: '您的应用可以使用它发布。',
      en: 'Your app can be published under it.',
      ru: 'Приложение можно публиковать под ним.',
    },
  }),
  'claim.refused': name => ({
    title: {
      zh: `您对包名 ${name} 的认领未获通过`,
      en: `Your claim on ${name} was refused`,
      ru: `Ваше притязание на ${name} отклонено`,
    },
    text: {
      zh: '认领页面说明了原因。',
      en: 'The page of the claims says why.',
      ru: 'Причина указана на странице притязаний.',
    },
  }),
}

/** A claim is told to both sides, each in the zone of its app; never who the other one is. */
export const claimNotices: Listener = {
  name: 'packages.claimNotices',
  on: ['claim.*'],
  run: async (ctx, event) => {
    const [claim] = await ctx.home.select().from(packageClaims).where(eq(packageClaims.claimId, event.entityId))
    if (!claim) return
    const sides = [
      { words: ofClaimant[event.type], teamId: claim.claimantTeamId, zone: claim.zone },
      { words: ofHolder[event.type], teamId: claim.holderTeamId, zone: claim.holderZone },
    ]
    for (const { words, teamId, zone } of sides) {
      if (!words || teamId === null) continue
      await notify(ctx, {
        to: { teamId, permission: 'packages.upload' },
        there: { zone: (zone ?? ctx.zone) as ZoneId, cause: `event ${event.eventId}` },
        category: 'review',
        kind: event.type,
        entityId: event.entityId,
        href: '/claims',
        ...words(claim.packageName),
      })
    }
  },
}
