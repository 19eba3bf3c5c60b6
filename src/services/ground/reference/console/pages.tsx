import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

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
