import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/projects', [
  {
    path: '/projects',
    title: { zh: '项目', en: 'Projects', ru: 'Проекты' },
    group: 'ground',
    face: 'developer',
    menu: { order: 10 },
    may: 'projects.read',
    load: () => import('./ProjectsPage.tsx'),
    find: () => import('./find-projects.ts'),
  },
  {
    path: '/projects/$projectId/settings',
    title: { zh: '项目设置', en: 'Project settings', ru: 'Настройки проекта' },
    group: 'ground',
    face: 'developer',
    may: 'projects.read',
    crumbs: '/projects/$projectId',
    search: raw => words(raw, ['tab']),
    load: () => import('./settings/ProjectSettingsPage.tsx'),
  },
  {
    path: '/projects/$projectId/services',
    title: { zh: '项目服务', en: 'Services', ru: 'Сервисы' },
    group: 'ground',
    face: 'developer',
    may: 'projects.read',
    crumbs: '/projects/$projectId',
    search: raw => words(raw, ['tab']),
    load: () => import('./services/ProjectServicesPage.tsx'),
  },
])
