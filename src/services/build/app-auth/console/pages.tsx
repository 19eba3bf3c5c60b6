import { pagesOf, words } from '../../../../console/page-spec.ts'

const search = (raw: Record<string, unknown>) => words(raw, ['projectId', 'tab'])

export const pages = pagesOf('build/app-auth', [
  {
    path: '/auth',
    title: { zh: '认证服务', en: 'Authentication', ru: 'Аутентификация' },
    group: 'build',
    face: 'developer',
    menu: { order: 10 },
    may: 'appAuth.read',
    search,
    load: () => import('./AuthPage.tsx'),
  },
  {
    path: '/auth/users/$uid',
    title: { zh: '应用用户', en: 'User', ru: 'Пользователь' },
    group: 'build',
    face: 'developer',
    may: 'appAuth.users',
    crumbs: '/auth',
    search,
    load: () => import('./users/UserPage.tsx'),
  },
])
