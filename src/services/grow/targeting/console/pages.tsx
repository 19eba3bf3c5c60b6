import { pagesOf, words } from '../../../../console/page-spec.ts'

const page = { group: 'grow', face: 'developer', may: 'targeting.read' } as const

export const pages = pagesOf('grow/targeting', [
  {
    path: '/targeting',
    title: { zh: '定向', en: 'Targeting', ru: 'Таргетинг' },
    ...page,
    menu: { order: 10 },
    search: raw => words(raw, ['projectId', 'tab', 'q', 'type', 'page', 'cursor']),
    load: () => import('./TargetingPage.tsx'),
  },
  {
    path: '/targeting/rule-sets/$ruleSetId',
    title: { zh: '规则集', en: 'Rule set', ru: 'Набор правил' },
    ...page,
    crumbs: '/targeting',
    search: raw => words(raw, ['projectId', 'tab', 'page', 'cursor']),
    load: () => import('./rule-sets/RuleSetPage.tsx'),
  },
  {
    path: '/targeting/audiences/$audienceId',
    title: { zh: '受众', en: 'Audience', ru: 'Аудитория' },
    ...page,
    crumbs: '/targeting',
    search: raw => words(raw, ['projectId', 'q', 'page', 'cursor']),
    load: () => import('./audiences/AudiencePage.tsx'),
  },
])
