import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/reference', [
  {
    path: '/api-reference',
    title: { zh: 'API 参考', en: 'API reference', ru: 'Справочник API' },
    group: 'ground',
    face: 'developer',
    menu: { order: 90 },
    search: raw => words(raw, ['q', 'service', 'call']),
    load: () => import('./ReferencePage.tsx'),
  },
  {
    path: '/operate/rules',
    title: { zh: '规范规则', en: 'Rules', ru: 'Правила' },
    group: 'operate',
    face: 'reviewer',
    menu: { order: 90 },
    search: raw => words(raw, ['q', 'section']),
    load: () => import('./rules/RulesPage.tsx'),
  },
])
