import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/generic-gateway', [
  {
    path: '/named-apis',
    title: { zh: 'API 名录', en: 'Named APIs', ru: 'Именованные API' },
    group: 'ground',
    face: 'developer',
    menu: { order: 92 },
    load: () => import('./NamedApisPage.tsx'),
  },
])
