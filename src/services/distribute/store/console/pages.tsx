import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

export const pages = pagesOf('distribute/store', [
  {
    path: '/app/openTest',
    title: { zh: '开放测试', en: 'Open test', ru: 'Открытый тест' },
    group: 'distribute',
    face: 'visitor',
    search: raw => words(raw, ['token', 'zone']),
    load: () => import('./testing/OpenTestPage.tsx'),
  },
  {
    path: '/store',
    title: { zh: '应用商店', en: 'Store', ru: 'Магазин' },
    group: 'distribute',
    face: 'visitor',
    search: raw => words(raw, ['q', 'page', 'cursor']),
    load: () => import('./StorePage.tsx'),
  },
  {
    path: '/store/$packageName',
    title: { zh: '商店中的应用', en: 'App in the store', ru: 'Приложение в магазине' },
    group: 'distribute',
    face: 'visitor',
    crumbs: '/store',
    load: () => import('./StoreAppPage.tsx'),
  },
  {
    path: '/apps/$appId/reach',
    title: { zh: '触达数据', en: 'Reach', ru: 'Охват' },
    group: 'distribute',
    face: 'developer',
    may: 'store.read',
    crumbs: '/apps/$appId',
    search: raw => words(raw, ['days', 'measure']),
    load: () => import('./reach/ReachPage.tsx'),
  },
  {
    path: '/apps/$appId/field',
    title: { zh: '安装情况', en: 'Installs', ru: 'Установки' },
    group: 'distribute',
    face: 'developer',
    may: 'store.read',
    crumbs: '/apps/$appId',
    search: raw => words(raw, ['days']),
    load: () => import('./field/FieldPage.tsx'),
  },
  {
    path: '/repositories',
    title: { zh: '专属软件源', en: 'Group repositories', ru: 'Репозитории групп' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 40 },
    may: 'store.read',
    search: raw => words(raw, ['q', 'page', 'cursor', 'state']),
    load: () => import('./groups/RepositoriesPage.tsx'),
  },
  {
    path: '/transparency',
    title: { zh: '发布透明日志', en: 'Log of releases', ru: 'Журнал выпусков' },
    group: 'distribute',
    face: 'visitor',
    crumbs: '/store',
    search: raw => words(raw, ['q', 'page', 'cursor']),
    load: () => import('./transparency/LogPage.tsx'),
  },
])
