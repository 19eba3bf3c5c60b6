import type { MemberScope } from '../../../kernel/permissions.ts'
import { covers, type ScopeGiven } from '../../../kernel/permissions.ts'

export const limits = {
  clientsOfTeam: 50,
  userClientsOfPerson: 10,
  debugCredentials: 10,
  clientsOfApp: 10,
  keysOfClient: 5,
  redirects: 10,
  nameLength: 64,
  descriptionLength: 300,
  permissions: 100,
  overlapHours: 168,
  lifeDays: 3650,
  tokenSeconds: 3_600,
  debugSeconds: 600,
  /** An assertion that lives longer than this is refused. */
  assertionSeconds: 600,
  grantUrlMs: 24 * 3_600_000,
  /** What a token may have of characters, ours and those of clients. */
  tokenLength: 8_192,
} as const

/** How long a key signs, how long before that it is published, and how long after the next one's start it is kept. */
export const keyTimes = { signsMs: 30 * 86_400_000, publishedBeforeMs: 3_600_000, keptAfterMs: 2 * 3_600_000 } as const

export const clientStates = ['ACTIVE', 'DISABLED'] as const
export const clientActions = ['enable', 'disable', 'rotate', 'endFormer', 'takeOver'] as const
export type ClientAction = (typeof clientActions)[number]

/** What only persons do: what cannot be taken back, and deciding who may do what. No program gets these, whoever grants. */
export const personPermissions: ReadonlySet<string> = new Set([
  'teams.delete',
  'teams.transfer',
  'teams.members',
  'teams.roles',
  'apps.move',
  'apiClients.edit',
  'apiClients.own',
  'apiClients.grant',
])

export function isForPersons(permission: string): boolean {
  return personPermissions.has(permission)
}

/** What of some permissions a person may give a client: what he holds himself, without what only persons do. */
export function grantableOf(held: Iterable<string>): string[] {
  return [...held].filter(permission => !isForPersons(permission)).sort()
}

export function allOf(first: Iterable<string>, ...others: readonly ReadonlySet<string>[]): Set<string> {
  return new Set([...first].filter(one => others.every(other => other.has(one))))
}

/** What a grant reaches of what the member who answers for it reaches now. */
export function scopeNow(
  grant: { given: ScopeGiven; projectOfApp: Readonly<Record<string, string>> },
  member: MemberScope,
): MemberScope {
  const { given, projectOfApp } = grant
  if ('all' in given) return member
  return {
    projects: new Set(given.projects.filter(projectId => covers(member, { projectId }))),
    apps: new Set(given.apps.filter(appId => covers(member, { appId, projectId: projectOfApp[appId] ?? null }))),
  }
}

/** What an app's client may ask for. */
export const appScopes = ['openid', 'profile', 'email', 'phone', 'offline_access', 'push', 'analytics'] as const

export const redirectFaults = [
  'unreadable',
  'fragment',
  'wildcard',
  'userinfo',
  'plainHttp',
  'scheme',
  'host',
  'notNormal',
] as const
export type RedirectFault = (typeof redirectFaults)[number]

const loopbacks = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * Why an address cannot be one that people are sent back to, or null. Allowed are https, plain http on this device
 * (RFC 8252, 7.3) and schemes of an app's own that are a reversed domain (7.1).
 */
export function redirectFault(address: string): RedirectFault | null {
  if (/[\s\\]|[^\x21-\x7e]/.test(address) || !URL.canParse(address)) return 'unreadable'
  if (address.includes('#')) return 'fragment'
  if (address.includes('*')) return 'wildcard'
  const url = new URL(address)
  if (url.username || url.password || /^[^/]*\/\/[^/]*@/.test(address)) return 'userinfo'
  if (url.protocol === 'http:' && !loopbacks.has(url.hostname)) return 'plainHttp'
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isWeb) return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:\/?[^/]?/.test(address) ? null : 'scheme'
  if (url.hostname === '' || url.hostname.endsWith('.')) return 'host'
  return url.href === address || url.href === `${address}/` ? null : 'notNormal'
}

/** Whether people may be sent to an address: exactly one of those registered; on this device the port is free (RFC 8252, 7.3). */
export function isRedirectAllowed(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true
  if (redirectFault(asked) !== null) return false
  const url = new URL(asked)
  if (url.protocol !== 'http:') return false
  return registered.some(one => {
    if (!one.startsWith('http:')) return false
    const known = new URL(one)
    return known.hostname === url.hostname && known.pathname === url.pathname && known.search === url.search
  })
}

/** Algorithms with which a key of a kind may sign: decided by the key, never by what was signed. */
export const algorithmsOf = {
  ES256: ['ES256'],
  ES384: ['ES384'],
  RS256: ['RS256', 'PS256'],
  EdDSA: ['EdDSA', 'Ed25519'],
} as const
export type KeyAlgorithm = keyof typeof algorithmsOf
