import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('distribute/series', [
  {
    path: '/series',
    title: { zh: '应用系列', en: 'App series', ru: 'Серии приложений' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 44 },
    may: 'series.read',
    search: raw => words(raw, ['page', 'cursor']),
    load: () => import('./SeriesPage.tsx'),
  },
])
