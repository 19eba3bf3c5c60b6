import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/projects', [
  {
    path: '/projects',
    title: { zh: '项目', en: 'Projects', ru: 'Проекты' },
    group: 'ground',
    face: 'developer',
    menu: { order: 10 },
    may: 'projects.read',
    load: () => import('./ProjectsPage.tsx'),
  },
])
