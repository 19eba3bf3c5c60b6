import { pagesOf, words } from '../../../../console/page-spec.ts'

const page = { group: 'grow', face: 'developer', may: 'targeting.read', texts: ['kit/conditions'] } as const

export const pages = pagesOf('grow/targeting', [
  {
    path: '/targeting',
    title: { zh: '定向', en: 'Targeting', ru: 'Таргетинг' },
    ...page,
    menu: { order: 20 },
    search: raw => words(raw, ['projectId', 'zone', 'tab', 'q', 'type', 'page', 'cursor']),
    load: () => import('./TargetingPage.tsx'),
  },
  {
    path: '/targeting/rule-sets/$ruleSetId',
    title: { zh: '规则集', en: 'Rule set', ru: 'Набор правил' },
    ...page,
    crumbs: '/targeting',
    search: raw => words(raw, ['projectId', 'zone', 'tab', 'page', 'cursor']),
    load: () => import('./rule-sets/RuleSetPage.tsx'),
  },
  {
    path: '/targeting/audiences/$audienceId',
    title: { zh: '受众', en: 'Audience', ru: 'Аудитория' },
    ...page,
    crumbs: '/targeting',
    search: raw => words(raw, ['projectId', 'zone', 'q', 'page', 'cursor']),
    load: () => import('./audiences/AudiencePage.tsx'),
  },
])
