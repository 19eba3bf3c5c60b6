import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

/** The pages that show projects with their apps stand here, for `ground` knows no service above it. */
export const pages = pagesOf('distribute/apps', [
  {
    path: '/home/developer',
    title: { zh: '首页', en: 'Home', ru: 'Главная' },
    group: 'ground',
    face: 'developer',
    may: 'apps.read',
    load: () => import('./home/DeveloperHome.tsx'),
  },
  {
    path: '/projects/$projectId',
    title: { zh: '项目详情', en: 'Project', ru: 'Проект' },
    group: 'ground',
    face: 'developer',
    may: 'projects.read',
    crumbs: '/projects',
    load: () => import('./project/ProjectPage.tsx'),
  },
  {
    path: '/apps',
    title: { zh: '我的应用', en: 'Apps', ru: 'Приложения' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 10 },
    may: 'apps.read',
    load: () => import('./AppsPage.tsx'),
    find: () => import('./find-apps.ts'),
  },
  {
    path: '/apps/elsewhere',
    title: { zh: '站外应用', en: 'Apps elsewhere', ru: 'Вне магазина' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 50 },
    may: 'apps.read',
    load: () => import('./elsewhere/ElsewherePage.tsx'),
  },
  {
    path: '/moves',
    title: { zh: '应用转移', en: 'App moves', ru: 'Передача приложений' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 42 },
    may: 'apps.read',
    search: raw => words(raw, ['side', 'state', 'page', 'cursor']),
    load: () => import('./moves/MovesPage.tsx'),
  },
  {
    path: '/apps/new',
    title: { zh: '创建应用', en: 'Create app', ru: 'Новое приложение' },
    group: 'distribute',
    face: 'developer',
    may: 'apps.create',
    crumbs: '/apps',
    search: raw => words(raw, ['projectId']),
    load: () => import('./new/NewAppPage.tsx'),
  },
  {
    path: '/apps/$appId',
    title: { zh: '应用概览', en: 'App', ru: 'Приложение' },
    group: 'distribute',
    face: 'developer',
    may: 'apps.read',
    crumbs: '/apps',
    load: () => import('./AppPage.tsx'),
  },
])
