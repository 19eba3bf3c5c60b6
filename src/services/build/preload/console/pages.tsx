import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('build/preload', [
  {
    path: '/preload',
    title: { zh: '数据预加载', en: 'Data preload', ru: 'Предзагрузка данных' },
    group: 'build',
    face: 'developer',
    menu: { order: 45 },
    may: 'preload.read',
    search: (raw: Record<string, unknown>) => words(raw, ['projectId', 'appId']),
    load: () => import('./PreloadPage.tsx'),
  },
])
