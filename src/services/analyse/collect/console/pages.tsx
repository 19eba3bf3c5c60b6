import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('analyse/collect', [
  {
    path: '/console-use',
    title: { zh: '控制台使用情况', en: 'Use of the console', ru: 'Использование консоли' },
    group: 'analyse',
    face: 'reviewer',
    menu: { order: 10 },
    may: 'collect.read',
    load: () => import('./UsePage.tsx'),
  },
  {
    path: '/team/console-use',
    title: { zh: '团队使用情况', en: 'How the team works here', ru: 'Как работает команда' },
    group: 'analyse',
    face: 'developer',
    menu: { order: 10 },
    may: 'collect.read',
    load: () => import('./TeamUsePage.tsx'),
  },
])
