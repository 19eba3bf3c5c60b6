import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('build/rules', [
  {
    path: '/projects/$projectId/rules/$service',
    title: { zh: '安全规则', en: 'Security rules', ru: 'Правила доступа' },
    group: 'build',
    face: 'developer',
    may: 'rules.read',
    crumbs: '/projects/$projectId',
    search: raw => words(raw, ['tab', 'page', 'cursor', 'q', 'allowed', 'method', 'decision', 'hours']),
    load: () => import('./RulesPage.tsx'),
  },
])
