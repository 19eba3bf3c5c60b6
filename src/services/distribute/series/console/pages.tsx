import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

export const pages = pagesOf('distribute/series', [
  {
    path: '/series',
    title: { zh: '应用系列', en: 'App series', ru: 'Серии приложений' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 44 },
    may: 'series.read',
    search: raw => words(raw, ['page', 'cursor']),
    load: () => import('./SeriesPage.tsx'),
  },
])
