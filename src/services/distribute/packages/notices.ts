import type { Listener } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'
import { packagesOf } from './public.ts'

/** A package that cannot be used is told to those who upload packages of the app. */
export const packageNotices: Listener = {
  name: 'packages.notices',
  on: ['package.failed'],
  run: async (ctx, event) => {
    const [pkg] = await packagesOf(ctx, [event.entityId])
    const [app] = pkg ? await appsOf(ctx, [pkg.appId]) : []
    if (!pkg || !app) return
    const { appId, projectId, teamId, name } = app
    await notify(ctx, {
      to: { teamId, permission: 'packages.upload', about: { appId, projectId } },
      category: 'operations',
      kind: event.type,
      entityId: event.entityId,
      href: `/apps/${appId}/packages/${event.entityId}`,
      title: {
        zh: `${name} 的软件包 ${pkg.fileName} 无法使用`,
        en: `The package ${pkg.fileName} of ${name} cannot be used`,
        ru: `Пакет ${pkg.fileName} приложения ${name} использовать нельзя`,
      },
      text: {
        zh: '软件包页面列出了每个问题及修改方法。',
        en: 'Its page lists each finding and what to change.',
        ru: 'На его странице перечислено, что исправить.',
      },
    })
  },
}
