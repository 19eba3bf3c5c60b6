import type { Listener } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'
import { appsOf } from '../../apps/public.ts'

/** Whoever prepares what the store shows hears how the review of a picture ended. */
export const immersiveNotices: Listener = {
  name: 'immersive.notices',
  on: ['immersive.approved', 'immersive.rejected'],
  run: async (ctx, event) => {
    const [app] = await appsOf(ctx, [event.entityId])
    if (!app) return
    const { appId, projectId, teamId, name } = app
    const isPassed = event.type === 'immersive.approved'
    await notify(ctx, {
      to: { teamId, permission: 'material.edit', about: { appId, projectId } },
      category: 'review',
      kind: event.type,
      entityId: appId,
      href: `/apps/${appId}/immersive`,
      title: isPassed
        ? {
            zh: `${name} 的沉浸式图片已通过审核`,
            en: `The immersive picture of ${name} was approved`,
            ru: `Иммерсивная картинка приложения ${name} одобрена`,
          }
        : {
            zh: `${name} 的沉浸式图片未通过审核`,
            en: `The immersive picture of ${name} was not approved`,
            ru: `Иммерсивная картинка приложения ${name} не одобрена`,
          },
      text: isPassed
        ? {
            zh: '商店自现在起展示该图片。',
            en: 'The store shows it from now on.',
            ru: 'Магазин показывает её с этого момента.',
          }
        : {
            zh: '请查看审核意见，修改后再次提交。',
            en: 'Read what the reviewer said, change the picture and submit it again.',
            ru: 'Прочитайте замечание, измените картинку и отправьте снова.',
          },
    })
  },
}
