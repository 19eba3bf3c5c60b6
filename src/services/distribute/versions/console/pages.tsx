import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

export const pages = pagesOf('distribute/versions', [
  {
    path: '/apps/$appId/version',
    title: { zh: '版本', en: 'Version', ru: 'Версия' },
    group: 'distribute',
    face: 'developer',
    may: 'versions.read',
    crumbs: '/apps/$appId',
    search: raw => words(raw, ['section']),
    load: () => import('./VersionPage.tsx'),
  },
  {
    path: '/apps/$appId/version/$versionId',
    title: { zh: '某个版本', en: 'One version', ru: 'Одна версия' },
    group: 'distribute',
    face: 'developer',
    may: 'versions.read',
    crumbs: '/apps/$appId/version',
    search: raw => words(raw, ['section']),
    load: () => import('./VersionPage.tsx'),
  },
  {
    path: '/apps/$appId/listing',
    title: { zh: '商店信息', en: 'Listing', ru: 'Описание в магазине' },
    group: 'distribute',
    face: 'developer',
    may: 'versions.read',
    crumbs: '/apps/$appId',
    search: raw => words(raw, ['lang', 'versionId']),
    load: () => import('./ListingPage.tsx'),
  },
])
