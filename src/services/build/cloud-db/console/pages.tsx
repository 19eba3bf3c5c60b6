import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('build/cloud-db', [
  {
    path: '/cloud-db',
    title: { zh: '云数据库', en: 'Cloud database', ru: 'Облачная база данных' },
    group: 'build',
    face: 'developer',
    menu: { order: 30 },
    may: 'cloudDb.read',
    search: raw => words(raw, ['projectId', 'tab', 'dataZone', 'type']),
    load: () => import('./DatabasePage.tsx'),
  },
])
