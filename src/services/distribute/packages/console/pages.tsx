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
    search: raw => words(raw, ['with', 'q', 'brand', 'fits', 'page', 'cursor', 'sort']),
    load: () => import('./PackagePage.tsx'),
  },
  {
    path: '/apps/$appId/packages/$pkgId/difference',
    title: { zh: '差异', en: 'Difference', ru: 'Различия' },
    group: 'distribute',
    face: 'developer',
    may: 'packages.read',
    crumbs: '/apps/$appId/packages/$pkgId',
    search: raw => words(raw, ['with']),
    load: () => import('./DifferencePage.tsx'),
  },
  {
    path: '/claims',
    title: { zh: '包名认领', en: 'Package names', ru: 'Имена пакетов' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 40 },
    may: 'packages.read',
    load: () => import('./claims/ClaimsPage.tsx'),
  },
  {
    path: '/desk/claims',
    title: { zh: '包名认领审核', en: 'Claims', ru: 'Заявки на имена' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 40 },
    may: 'store.operate',
    load: () => import('./claims/ClaimDeskPage.tsx'),
  },
])
