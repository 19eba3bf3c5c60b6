import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

export const pages = pagesOf('distribute/lifecycle', [
  {
    path: '/listing-checks',
    title: { zh: '内容检测', en: 'Listing checks', ru: 'Проверка описаний' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 26 },
    may: 'lifecycle.read',
    search: raw => words(raw, ['kind', 'page', 'cursor']),
    load: () => import('./detect/DetectionsPage.tsx'),
  },
  {
    path: '/apps/$appId/fit',
    title: { zh: '设备适配与内测评分', en: 'Devices and alpha rating', ru: 'Устройства и оценка' },
    group: 'distribute',
    face: 'developer',
    may: 'lifecycle.read',
    crumbs: '/apps/$appId',
    load: () => import('./fit/FitPage.tsx'),
  },
  {
    path: '/from-the-store',
    title: { zh: '商店资源', en: 'From the store', ru: 'От магазина' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 60 },
    may: 'lifecycle.read',
    search: raw => words(raw, ['tab']),
    load: () => import('./store/FromStorePage.tsx'),
  },
  {
    path: '/operate/words',
    title: { zh: '词表', en: 'Words of listings', ru: 'Слова описаний' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 60 },
    may: 'store.operate',
    search: raw => words(raw, ['language', 'topic', 'q', 'page', 'cursor']),
    load: () => import('./staff/WordsPage.tsx'),
  },
  {
    path: '/operate/kept',
    title: { zh: '开发者资源', en: 'For developers', ru: 'Для разработчиков' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 70 },
    may: 'store.operate',
    search: raw => words(raw, ['kind', 'page', 'cursor']),
    load: () => import('./staff/KeptPage.tsx'),
  },
])
