import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('distribute/recordal', [
  {
    path: '/apps/$appId/recordal',
    title: { zh: 'APP 备案', en: 'Filing in China', ru: 'Регистрация в Китае' },
    group: 'distribute',
    face: 'developer',
    may: 'recordal.read',
    crumbs: '/apps/$appId',
    load: () => import('./RecordalPage.tsx'),
  },
  {
    path: '/desk/recordals',
    title: { zh: '备案核验', en: 'Filings', ru: 'Проверка регистраций' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 36 },
    may: 'review.read',
    search: raw => words(raw, ['zone', 'state', 'page', 'cursor']),
    load: () => import('./RecordalDeskPage.tsx'),
  },
])
