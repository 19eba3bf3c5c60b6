import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('analyse/app-events', [
  {
    path: '/app-events',
    title: { zh: '应用事件', en: 'App events', ru: 'События приложений' },
    group: 'analyse',
    face: 'developer',
    menu: { order: 30 },
    may: 'appEvents.read',
    search: raw => words(raw, ['projectId', 'zone', 'tab', 'q', 'days', 'page', 'cursor']),
    load: () => import('./AppEventsPage.tsx'),
  },
])
