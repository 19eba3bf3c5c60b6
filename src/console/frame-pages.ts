import { pagesOf } from './page-spec.ts'

/** The frame's own page; everything else belongs to a service. */
export const framePages = pagesOf('console', [
  {
    path: '/',
    title: { zh: '首页', en: 'Home', ru: 'Главная' },
    group: 'ground',
    face: 'developer',
    load: () => import('./HomePage.tsx'),
  },
])
