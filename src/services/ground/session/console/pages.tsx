import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/session', [
  {
    path: '/sign-in',
    title: { zh: '登录', en: 'Sign in', ru: 'Вход' },
    group: 'ground',
    face: 'visitor',
    load: () => import('./SignInPage.tsx'),
  },
])
