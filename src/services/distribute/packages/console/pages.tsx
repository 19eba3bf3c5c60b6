import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

export const pages = pagesOf('distribute/packages', [
  {
    path: '/apps/$appId/packages',
    title: { zh: '软件包', en: 'Packages', ru: 'Пакеты' },
    group: 'distribute',
    face: 'developer',
    may: 'packages.read',
    crumbs: '/apps/$appId',
    load: () => import('./PackagesPage.tsx'),
  },
  {
    path: '/apps/$appId/packages/$pkgId',
    title: { zh: '软件包详情', en: 'Package', ru: 'Пакет' },
    group: 'distribute',
    face: 'developer',
    may: 'packages.read',
    crumbs: '/apps/$appId/packages',
    search: raw => words(raw, ['with']),
    load: () => import('./PackagePage.tsx'),
  },
])
