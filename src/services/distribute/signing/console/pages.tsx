import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('distribute/signing', [
  {
    path: '/apps/$appId/signing',
    title: { zh: '应用签名', en: 'App signing', ru: 'Подпись приложения' },
    group: 'distribute',
    face: 'developer',
    may: 'signing.read',
    crumbs: '/apps/$appId',
    load: () => import('./SigningPage.tsx'),
  },
])
