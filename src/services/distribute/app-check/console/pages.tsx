import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('distribute/app-check', [
  {
    path: '/checks',
    title: { zh: '应用自检', en: 'App checks', ru: 'Проверки приложений' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 25 },
    may: 'appCheck.read',
    search: raw => words(raw, ['appId', 'state', 'page', 'cursor']),
    load: () => import('./ChecksPage.tsx'),
  },
  {
    path: '/checks/$checkId',
    title: { zh: '自检报告', en: 'Report', ru: 'Отчёт' },
    group: 'distribute',
    face: 'developer',
    may: 'appCheck.read',
    crumbs: '/checks',
    load: () => import('./CheckPage.tsx'),
  },
])
