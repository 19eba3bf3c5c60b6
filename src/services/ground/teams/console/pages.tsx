import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/teams', [
  {
    path: '/team',
    title: { zh: '团队', en: 'Team', ru: 'Команда' },
    group: 'ground',
    face: 'developer',
    menu: { order: 30 },
    load: () => import('./TeamPage.tsx'),
  },
  {
    path: '/team/members',
    title: { zh: '成员', en: 'Members', ru: 'Участники' },
    group: 'ground',
    face: 'developer',
    menu: { order: 31 },
    may: 'teams.read',
    crumbs: '/team',
    load: () => import('./MembersPage.tsx'),
  },
  {
    path: '/team/roles',
    title: { zh: '角色与权限', en: 'Roles', ru: 'Роли' },
    group: 'ground',
    face: 'developer',
    menu: { order: 32 },
    may: 'teams.read',
    crumbs: '/team',
    load: () => import('./RolesPage.tsx'),
  },
])
