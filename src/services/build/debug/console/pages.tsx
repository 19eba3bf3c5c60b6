import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('build/debug', [
  {
    path: '/debugging',
    title: { zh: '远程调试', en: 'Debugging', ru: 'Отладка' },
    group: 'build',
    face: 'developer',
    menu: { order: 90 },
    may: 'debug.use',
    load: () => import('./DebugPage.tsx'),
  },
])
