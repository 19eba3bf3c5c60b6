import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/orchestration', [
  {
    path: '/operate/processes',
    title: { zh: '服务编排', en: 'Processes', ru: 'Процессы' },
    group: 'operate',
    face: 'reviewer',
    menu: { order: 60 },
    may: 'orchestration.read',
    load: () => import('./ProcessesPage.tsx'),
  },
  {
    path: '/operate/processes/$definitionId/$processId',
    title: { zh: '流程', en: 'Process', ru: 'Процесс' },
    group: 'operate',
    face: 'reviewer',
    may: 'orchestration.read',
    crumbs: '/operate/processes',
    load: () => import('./ProcessPage.tsx'),
  },
])
