import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('earn/clues', [
  {
    path: '/clue-reports',
    title: { zh: '线索上报', en: 'Clue reports', ru: 'Сигналы интереса' },
    group: 'earn',
    face: 'reviewer',
    menu: { order: 10 },
    may: 'clues.read',
    load: () => import('./ReportsPage.tsx'),
  },
])
