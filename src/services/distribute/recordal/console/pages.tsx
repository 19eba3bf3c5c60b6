import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

export const pages = pagesOf('distribute/recordal', [
  {
    path: '/apps/$appId/recordal',
    title: { zh: 'APP 备案', en: 'Filing in China', ru: 'Регистрация в Китае' },
    group: 'distribute',
    face: 'developer',
    may: 'recordal.read',
    crumbs: '/apps/$appId',
    load: () => import('./RecordalPage.tsx'),
  },
  {
    path: '/desk/recordals',
    title: { zh: '备案核验', en: 'Filings', ru: 'Проверка регистраций' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 36 },
    may: 'review.read',
    search: raw => words(raw, ['zone', 'state', 'page', 'cursor']),
    load: () => import('./RecordalDeskPage.tsx'),
  },
])
