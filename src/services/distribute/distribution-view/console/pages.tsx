import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('distribute/distribution-view', [
  {
    path: '/apps/$appId/immersive',
    title: { zh: '沉浸式图片', en: 'Immersive picture', ru: 'Иммерсивная картинка' },
    group: 'distribute',
    face: 'developer',
    may: 'apps.read',
    crumbs: '/apps/$appId',
    load: () => import('./ImmersivePage.tsx'),
  },
  {
    path: '/desk/pictures',
    title: { zh: '图片审核', en: 'Pictures', ru: 'Картинки' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 20 },
    may: 'review.read',
    search: raw => (typeof raw['zone'] === 'string' ? { zone: raw['zone'] } : {}),
    load: () => import('./PictureDeskPage.tsx'),
  },
])
