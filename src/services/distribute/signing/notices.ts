import type { Event, Listener } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'

interface Words {
  zh: string
  en: string
  ru: string
}

/** What is told of an event of an app by this name; null where nobody needs to know. */
function wordsOf(event: Event, name: string): { title: Words; text: Words } | null {
  const { to } = event.data as { to?: string | null }
  if (event.type === 'signing.key.rotated') {
    return {
      title: {
        zh: `${name} 的签名密钥已轮换`,
        en: `The signing key of ${name} was rotated`,
        ru: `Ключ подписи приложения ${name} сменён`,
      },
      text: {
        zh: '新软件包将附带轮换证明；已处理的软件包可重新签名。',
        en: 'New packages carry the proof of rotation; those processed before can be signed again.',
        ru: 'Новые пакеты несут подтверждение смены; обработанные ранее можно подписать заново.',
      },
    }
  }
  if (event.type === 'signing.mode.changed') {
    if (to !== 'STORE') return null
    return {
      title: {
        zh: `${name} 改由商店签名`,
        en: `The store signs ${name} now`,
        ru: `Приложение ${name} теперь подписывает магазин`,
      },
      text: {
        zh: '请用上传密钥签名并上传；设备收到的版本由商店密钥签名。',
        en: 'Sign what you upload with the upload key; what devices get is signed with the store’s key.',
        ru: 'Загружаемое подписывайте ключом загрузки; устройства получают пакет с подписью магазина.',
      },
    }
  }
  return uploadWords(to ?? null, name)
}

function uploadWords(to: string | null, name: string): { title: Words; text: Words } | null {
  if (to === 'PENDING') {
    return {
      title: {
        zh: `${name} 的上传证书将在 48 小时后更换`,
        en: `The upload certificate of ${name} changes in 48 hours`,
        ru: `Сертификат загрузки приложения ${name} сменится через 48 часов`,
      },
      text: {
        zh: '如非本团队操作，请立即取消。团队负责人可凭第二验证步骤提前批准。',
        en: 'Cancel it at once if this was not your team. A leader with a second step can approve it before.',
        ru: 'Если это не ваша команда, сразу отмените. Руководитель со вторым шагом входа может одобрить раньше.',
      },
    }
  }
  if (to === 'ACTIVE') {
    return {
      title: {
        zh: `${name} 的上传证书已生效`,
        en: `The upload certificate of ${name} is in force`,
        ru: `Сертификат загрузки приложения ${name} действует`,
      },
      text: {
        zh: '此后上传的软件包须用该证书的密钥签名。',
        en: 'Uploads must be signed with its key from now on.',
        ru: 'Отныне загрузки подписывают его ключом.',
      },
    }
  }
  if (to !== 'CANCELED') return null
  return {
    title: {
      zh: `${name} 的上传证书更换已取消`,
      en: `The change of the upload certificate of ${name} was canceled`,
      ru: `Смена сертификата загрузки приложения ${name} отменена`,
    },
    text: {
      zh: '原上传证书继续有效。',
      en: 'The one before stays in force.',
      ru: 'Прежний сертификат остаётся в силе.',
    },
  }
}

/** Whoever manages the keys of an app hears of each change, so that one that nobody wanted is seen in time. */
export const signingNotices: Listener = {
  name: 'signing.notices',
  on: ['signing.upload_cert.changed', 'signing.key.rotated', 'signing.mode.changed'],
  run: async (ctx, event) => {
    const [app] = await appsOf(ctx, [String(event.data['appId'])])
    const words = app ? wordsOf(event, app.name) : null
    if (!app || !words) return
    const { appId, projectId, teamId } = app
    await notify(ctx, {
      to: { teamId, permission: 'signing.manage', about: { appId, projectId } },
      category: 'security',
      kind: event.type,
      entityId: appId,
      href: `/apps/${appId}/signing`,
      ...words,
    })
  },
}
