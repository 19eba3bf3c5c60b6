import type { LocalText } from '../../../kernel/language.ts'
import type { Event, Listener } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'

interface Told {
  title: LocalText
  text: LocalText
}

const dateOf = (at: unknown) => new Date(Number(at)).toISOString().slice(0, 10)

type Words = (name: string, data: Event['data']) => Told

const words: Readonly<Record<string, Words>> = {
  'cert.revoked': name => ({
    title: {
      zh: `HarmonyOS 证书“${name}”已吊销`,
      en: `The HarmonyOS certificate ${name} was revoked`,
      ru: `Сертификат HarmonyOS «${name}» отозван`,
    },
    text: {
      zh: '使用该证书的 Profile 已失效，请用其他证书重新签发。',
      en: 'Profiles that were made with it are invalid: issue them anew with another certificate.',
      ru: 'Профили с ним недействительны: выпустите их заново с другим сертификатом.',
    },
  }),
  'cert.expiring': (name, data) => ({
    title: {
      zh: `HarmonyOS 证书“${name}”将在 ${data['daysLeft']} 天后到期`,
      en: `The HarmonyOS certificate ${name} ends in ${data['daysLeft']} days`,
      ru: `Сертификат HarmonyOS «${name}»: осталось дней — ${data['daysLeft']}`,
    },
    text: {
      zh: `到期日：${dateOf(data['expireAt'])}。请提前申请新证书。`,
      en: `It ends on ${dateOf(data['expireAt'])}. Issue a new one in time.`,
      ru: `Срок до ${dateOf(data['expireAt'])}. Выпустите новый заранее.`,
    },
  }),
  'profile.expiring': (name, data) => ({
    title: {
      zh: `Profile“${name}”将在 ${data['daysLeft']} 天后到期`,
      en: `The profile ${name} ends in ${data['daysLeft']} days`,
      ru: `Профиль «${name}»: осталось дней — ${data['daysLeft']}`,
    },
    text: {
      zh: `到期日：${dateOf(data['expireAt'])}。刷新后请重新下载。`,
      en: `It ends on ${dateOf(data['expireAt'])}. Refresh it and download it again.`,
      ru: `Срок до ${dateOf(data['expireAt'])}. Обновите его и скачайте снова.`,
    },
  }),
  'profile.invalidated': (name, data) => ({
    title: {
      zh: `Profile“${name}”已失效`,
      en: `The profile ${name} is no longer valid`,
      ru: `Профиль «${name}» больше не действует`,
    },
    text:
      data['reason'] === 'CERT_REVOKED'
        ? {
            zh: '其证书已吊销，请选择其他证书。',
            en: 'Its certificate was revoked; choose another one.',
            ru: 'Его сертификат отозван; выберите другой.',
          }
        : {
            zh: '其中的设备已被删除，请刷新后重新下载。',
            en: 'A device of it was deleted; refresh it and download it again.',
            ru: 'Устройство из него удалено; обновите профиль и скачайте снова.',
          },
  }),
}

/** Whoever signs for HarmonyOS hears in time that something ends, and at once that something counts no more. */
export const harmonyNotices: Listener = {
  name: 'harmony.notices',
  on: Object.keys(words),
  run: async (ctx, event) => {
    const { teamId, type, entityId, data } = event
    const told = words[type]
    if (!told || teamId === null) return
    const appId = data['appId']
    const [app] = appId === undefined ? [] : await appsOf(ctx, [String(appId)])
    await notify(ctx, {
      to: { teamId, permission: 'harmony.edit', ...(app && { about: { appId: app.appId, projectId: app.projectId } }) },
      category: 'security',
      kind: type,
      entityId,
      href: `/harmony-signing?tab=${event.entity === 'cert' ? 'certificates' : 'profiles'}`,
      ...told(String(data['certName'] ?? data['provisionName']), data),
    })
  },
}
