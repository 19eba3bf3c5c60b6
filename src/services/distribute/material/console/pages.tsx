import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('distribute/material', [
  {
    path: '/apps/$appId/material-tests',
    title: { zh: '素材测试', en: 'Material tests', ru: 'Тесты материалов' },
    group: 'distribute',
    face: 'developer',
    may: 'apps.read',
    crumbs: '/apps/$appId',
    load: () => import('./TestsPage.tsx'),
  },
  {
    path: '/apps/$appId/material-tests/$testId',
    title: { zh: '素材测试详情', en: 'Material test', ru: 'Тест материалов' },
    group: 'distribute',
    face: 'developer',
    may: 'apps.read',
    crumbs: '/apps/$appId/material-tests',
    load: () => import('./TestPage.tsx'),
  },
  {
    path: '/desk/material-tests',
    title: { zh: '素材测试审核', en: 'Material tests', ru: 'Тесты материалов' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 21 },
    may: 'review.read',
    search: raw => words(raw, ['zone', 'test']),
    load: () => import('./DeskPage.tsx'),
  },
])
