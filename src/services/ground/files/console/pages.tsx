import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/files', [
  {
    path: '/files',
    title: { zh: '文件', en: 'Files', ru: 'Файлы' },
    group: 'ground',
    face: 'developer',
    menu: { order: 20 },
    may: 'files.read',
    load: () => import('./FilesPage.tsx'),
  },
])
