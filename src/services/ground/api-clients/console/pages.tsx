import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

export const pages = pagesOf('ground/api-clients', [
  {
    path: '/api-clients',
    title: { zh: 'API 客户端', en: 'API clients', ru: 'API-клиенты' },
    group: 'ground',
    face: 'developer',
    menu: { order: 42 },
    may: 'apiClients.read',
    load: () => import('./ClientsPage.tsx'),
  },
  {
    path: '/api-clients/team/$clientId',
    title: { zh: 'API 客户端', en: 'API client', ru: 'API-клиент' },
    group: 'ground',
    face: 'developer',
    may: 'apiClients.read',
    crumbs: '/api-clients',
    load: () => import('./TeamClientPage.tsx'),
  },
  {
    path: '/api-clients/own/$clientId',
    title: { zh: '我的客户端', en: 'Own client', ru: 'Личный клиент' },
    group: 'ground',
    face: 'developer',
    may: 'apiClients.own',
    crumbs: '/api-clients',
    load: () => import('./OwnClientPage.tsx'),
  },
  {
    path: '/api-clients/grant',
    title: { zh: '授权请求', en: 'Request for access', ru: 'Запрос доступа' },
    group: 'ground',
    face: 'developer',
    may: 'apiClients.grant',
    crumbs: '/api-clients',
    search: raw => words(raw, ['token']),
    load: () => import('./GrantPage.tsx'),
  },
  {
    path: '/apps/$appId/oauth',
    title: { zh: 'OAuth 客户端', en: 'OAuth clients', ru: 'OAuth-клиенты' },
    group: 'ground',
    face: 'developer',
    may: 'apiClients.read',
    crumbs: '/apps/$appId',
    load: () => import('./oauth/OauthPage.tsx'),
  },
])
