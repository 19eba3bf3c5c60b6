import { pagesOf, words } from '../../../../console/page-spec.ts'

const page = { group: 'distribute', face: 'developer', may: 'betaTest.read' } as const

export const pages = pagesOf('distribute/beta-test', [
  {
    path: '/apps/$appId/testers',
    title: { zh: '测试人员', en: 'Testers', ru: 'Тестировщики' },
    ...page,
    crumbs: '/apps/$appId/tests',
    search: raw => words(raw, ['q', 'kind', 'page', 'cursor']),
    load: () => import('./groups/GroupsPage.tsx'),
  },
  {
    path: '/apps/$appId/testers/$groupId',
    title: { zh: '测试组', en: 'Test group', ru: 'Группа тестировщиков' },
    ...page,
    crumbs: '/apps/$appId/testers',
    search: raw => words(raw, ['q', 'state', 'page', 'cursor']),
    load: () => import('./groups/GroupPage.tsx'),
  },
  {
    path: '/apps/$appId/tester-imports',
    title: { zh: '导入记录', en: 'Imports', ru: 'Импорт' },
    ...page,
    crumbs: '/apps/$appId/testers',
    search: raw => words(raw, ['page', 'cursor']),
    load: () => import('./people/ImportsPage.tsx'),
  },
  {
    path: '/apps/$appId/tester-imports/$bulkId',
    title: { zh: '导入报告', en: 'Import report', ru: 'Отчёт об импорте' },
    ...page,
    crumbs: '/apps/$appId/tester-imports',
    load: () => import('./people/ImportPage.tsx'),
  },
  {
    path: '/apps/$appId/feedback',
    title: { zh: '测试反馈', en: 'Feedback', ru: 'Отзывы' },
    ...page,
    crumbs: '/apps/$appId/tests',
    search: raw => words(raw, ['q', 'state', 'version', 'page', 'cursor']),
    load: () => import('./feedback/FeedbackPage.tsx'),
  },
  {
    path: '/apps/$appId/activities',
    title: { zh: '众测活动', en: 'Crowd tests', ru: 'Набор тестировщиков' },
    ...page,
    crumbs: '/apps/$appId/tests',
    search: raw => words(raw, ['q', 'state', 'page', 'cursor']),
    load: () => import('./activities/ActivitiesPage.tsx'),
  },
])
