/** Interfaces that a project's keys may be opened for, by the service they belong to. */
export const apiCatalogue = [
  { apiId: 'publishing', name: { zh: '发布 API', en: 'Publishing API', ru: 'API публикации' }, serviceId: null },
  { apiId: 'reports', name: { zh: '报表 API', en: 'Reports API', ru: 'API отчётов' }, serviceId: null },
  { apiId: 'comments', name: { zh: '评论 API', en: 'Comments API', ru: 'API отзывов' }, serviceId: null },
  { apiId: 'functions', name: { zh: '云函数 API', en: 'Functions API', ru: 'API функций' }, serviceId: 'functions' },
  { apiId: 'storage', name: { zh: '云存储 API', en: 'Storage API', ru: 'API хранилища' }, serviceId: 'storage' },
  { apiId: 'cloud-db', name: { zh: '云数据库 API', en: 'Database API', ru: 'API базы данных' }, serviceId: 'cloud-db' },
  { apiId: 'app-auth', name: { zh: '认证 API', en: 'Sign-in API', ru: 'API входа' }, serviceId: 'app-auth' },
  {
    apiId: 'remote-config',
    name: { zh: '远程配置 API', en: 'Remote config API', ru: 'API удалённой настройки' },
    serviceId: 'remote-config',
  },
  { apiId: 'messaging', name: { zh: '消息 API', en: 'Messages API', ru: 'API сообщений' }, serviceId: 'messaging' },
  { apiId: 'links', name: { zh: '链接 API', en: 'Links API', ru: 'API ссылок' }, serviceId: 'links' },
  { apiId: 'location', name: { zh: '位置 API', en: 'Location API', ru: 'API местоположения' }, serviceId: 'location' },
  { apiId: 'analytics', name: { zh: '分析 API', en: 'Analytics API', ru: 'API аналитики' }, serviceId: 'analytics' },
] as const

export const keyLimits = {
  keysOfProject: 50,
  nameLength: 64,
  restrictions: 20,
  /** A rotated key stays good for so long that clients can be changed over. */
  graceMs: 24 * 3_600_000,
} as const

export const packageNamePattern = '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$'

/** What a key may be used for, judged without knowing the key. */
export interface KeyUse {
  apiId: string
  packageName?: string
}

/** Why a key may not be used so, or null. Empty lists restrict nothing. */
export function keyProblem(
  key: { apis: readonly string[]; packageNames: readonly string[] },
  use: KeyUse,
): 'api' | 'package' | null {
  if (key.apis.length > 0 && !key.apis.includes(use.apiId)) return 'api'
  const isNamed = use.packageName !== undefined && key.packageNames.includes(use.packageName)
  return key.packageNames.length > 0 && !isNamed ? 'package' : null
}
