import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('distribute/qualification', [
  {
    path: '/apps/$appId/qualifications',
    title: { zh: '资质', en: 'Qualifications', ru: 'Документы' },
    group: 'distribute',
    face: 'developer',
    may: 'qualification.read',
    crumbs: '/apps/$appId',
    load: () => import('./QualificationsPage.tsx'),
  },
  {
    path: '/desk/qualifications',
    title: { zh: '资质审核', en: 'Qualifications', ru: 'Проверка документов' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 35 },
    may: 'review.read',
    search: raw => words(raw, ['zone', 'status', 'page', 'cursor']),
    load: () => import('./QualificationDeskPage.tsx'),
  },
])
