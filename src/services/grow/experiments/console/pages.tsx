import { pagesOf, words } from '../../../../console/page-spec.ts'

const page = { group: 'grow', face: 'developer', may: 'experiments.read', texts: ['kit/conditions'] } as const

export const pages = pagesOf('grow/experiments', [
  {
    path: '/experiments',
    title: { zh: 'A/B 测试', en: 'Experiments', ru: 'A/B-тесты' },
    ...page,
    menu: { order: 30 },
    search: raw => words(raw, ['projectId', 'zone', 'tab', 'q', 'state', 'page', 'cursor', 'metric']),
    load: () => import('./ExperimentsPage.tsx'),
  },
  {
    path: '/experiments/$experimentId',
    title: { zh: '实验', en: 'Experiment', ru: 'Эксперимент' },
    ...page,
    crumbs: '/experiments',
    search: raw => words(raw, ['projectId', 'zone', 'tab', 'engine', 'dim', 'q', 'page', 'cursor']),
    load: () => import('./ExperimentPage.tsx'),
  },
])
