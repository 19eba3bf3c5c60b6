import { lifeCycle } from '../../../kernel/life-cycle.ts'
import { covers, type MemberScope, type ScopedThing, type ScopeGiven } from '../../../kernel/permissions.ts'

/** Built-in roles of a team, in the order people read them. */
export const teamRoles = [
  'leader',
  'administrator',
  'appAdmin',
  'developer',
  'operations',
  'marketing',
  'finance',
  'customerService',
  'analyst',
] as const
export type TeamRole = (typeof teamRoles)[number]

/** Roles in the store's own staff; they come with the account, not with a team. */
export const staffRoles = ['storeAdministrator', 'reviewer', 'seniorReviewer', 'storeOperator'] as const
export type StaffRole = (typeof staffRoles)[number]

const everyone = teamRoles
const builders: readonly TeamRole[] = ['leader', 'administrator', 'appAdmin', 'developer']
const releasers: readonly TeamRole[] = ['leader', 'administrator', 'appAdmin', 'operations']
const admins: readonly TeamRole[] = ['leader', 'administrator']

/**
 * Which built-in roles hold a permission: the one table of it (briefs distribution 0.1 and growth 4). Operations may
 * submit and release but not withdraw; that asymmetry is wanted.
 */
export const permissionMatrix: Readonly<Record<string, readonly TeamRole[]>> = {
  'teams.read': everyone,
  'teams.edit': admins,
  'teams.members': admins,
  'teams.roles': admins,
  'teams.providers': admins,
  'teams.testUsers': [...builders, 'operations'],
  'teams.transfer': ['leader'],
  'teams.delete': ['leader'],
  'projects.read': everyone,
  'projects.create': builders,
  'projects.edit': builders,
  'projects.delete': admins,
  'projects.secrets': admins,
  'files.read': everyone,
  'files.upload': [...builders, 'operations', 'marketing'],
  'apps.read': everyone,
  'apps.create': builders,
  'apps.edit': builders,
  'apps.delete': admins,
  'apps.move': ['leader'],
  'packages.read': everyone,
  'packages.upload': builders,
  'versions.read': everyone,
  'versions.edit': [...builders, 'operations'],
  'versions.submit': releasers,
  'versions.withdraw': ['leader', 'administrator', 'appAdmin'],
  'versions.release': releasers,
  'versions.shelfOff': ['leader', 'administrator', 'appAdmin'],
  'versions.test': [...builders, 'operations'],
  'betaTest.read': everyone,
  'betaTest.manage': [...builders, 'operations'],
  'review.message': [...releasers, 'developer'],
  'store.read': everyone,
  'webhooks.read': [...builders, 'operations'],
  'webhooks.edit': ['leader', 'administrator', 'appAdmin'],
  'menu.read': everyone,
  'menu.edit': [...builders, 'operations', 'marketing'],
  'agreements.read': everyone,
  'agreements.edit': ['leader', 'administrator', 'appAdmin'],
  'agreements.sign': ['leader'],
  'material.edit': ['leader', 'administrator', 'appAdmin', 'operations'],
  'store.share': [...builders, 'operations'],
  'collect.read': [...admins, 'analyst'],
  'apiClients.read': [...builders, 'operations'],
  'apiClients.own': [...builders, 'operations'],
  'apiClients.edit': admins,
  'apiClients.grant': ['leader'],
  'support.contact': [...builders, 'operations', 'customerService'],
  'signing.read': everyone,
  'signing.manage': admins,
  'signing.approve': ['leader'],
  'appCheck.read': everyone,
  'appCheck.run': [...builders, 'operations'],
  'lifecycle.read': everyone,
  'lifecycle.detect': [...builders, 'operations', 'marketing'],
  'lifecycle.rate': [...builders, 'operations', 'marketing', 'customerService'],
  'recordal.read': everyone,
  'recordal.edit': [...builders, 'operations'],
  'series.read': everyone,
  'series.edit': ['leader', 'administrator', 'appAdmin'],
  'harmony.read': everyone,
  'harmony.edit': builders,
  'harmony.force': ['leader'],
  'comments.read': everyone,
  'comments.reply': [...builders, 'operations', 'marketing', 'customerService'],
  'comments.report': [...builders, 'operations', 'customerService'],
  'cloudDb.read': everyone,
  'cloudDb.edit': builders,
  'cloudDb.data': builders,
  'cloudDb.rules': builders,
  'qualification.read': everyone,
  'qualification.edit': [...builders, 'operations'],
  'qualification.submit': releasers,
  'storage.read': everyone,
  'storage.edit': [...builders, 'operations'],
  'storage.manage': ['leader', 'administrator', 'appAdmin'],
  'storage.rules': ['leader', 'administrator', 'appAdmin'],
  'storage.keys': admins,
  'appAuth.read': everyone,
  'appAuth.edit': builders,
  'appAuth.users': [...builders, 'operations', 'customerService'],
  'appAuth.server': admins,
  'debug.use': builders,
  'functions.read': everyone,
  'functions.edit': builders,
  'preload.read': everyone,
  'preload.edit': builders,
  'rules.read': everyone,
  'rules.edit': builders,
  'rules.publish': ['leader', 'administrator', 'appAdmin'],
  'remoteConfig.read': everyone,
  'remoteConfig.edit': [...builders, 'operations', 'marketing'],
  'remoteConfig.publish': releasers,
  'remoteConfig.force': admins,
  'targeting.read': everyone,
  'targeting.edit': [...builders, 'operations', 'marketing'],
  'targeting.publish': ['leader', 'administrator', 'appAdmin', 'operations'],
  'appEvents.read': everyone,
  'appEvents.edit': builders,
  'experiments.read': everyone,
  'experiments.edit': [...builders, 'operations', 'marketing'],
  'experiments.run': releasers,
}

/** What staff may do, over all teams of a zone. */
export const staffMatrix: Readonly<Record<string, readonly StaffRole[]>> = {
  'review.read': ['reviewer', 'seniorReviewer', 'storeAdministrator', 'storeOperator'],
  'review.decide': ['reviewer', 'seniorReviewer'],
  'review.senior': ['seniorReviewer'],
  'session.operate': ['storeAdministrator'],
  'session.review': ['seniorReviewer', 'storeAdministrator'],
  'store.operate': ['storeOperator', 'seniorReviewer'],
  'menu.announce': ['storeOperator', 'storeAdministrator'],
  'menu.operate': ['storeAdministrator'],
  'notices.mails': ['storeAdministrator'],
  'collect.read': ['storeOperator', 'storeAdministrator'],
  'clues.read': ['storeOperator', 'storeAdministrator'],
  'agreements.publish': ['storeAdministrator'],
  'agreements.decide': ['seniorReviewer', 'storeAdministrator'],
  'orchestration.read': ['storeOperator', 'storeAdministrator'],
  'orchestration.edit': ['storeAdministrator'],
}

/** The permissions of some roles together. */
export function permissionsOf(
  roles: readonly string[],
  matrix: Readonly<Record<string, readonly string[]>>,
): Set<string> {
  const held = new Set<string>()
  for (const [permission, holders] of Object.entries(matrix)) {
    if (holders.some(holder => roles.includes(holder))) held.add(permission)
  }
  return held
}

/** Rights that cannot be taken back once used; using them needs a sign-in of the last five minutes. */
export const dangerousPermissions: ReadonlySet<string> = new Set(['teams.delete', 'teams.transfer', 'apps.move'])

/** The service a permission belongs to: what people read them by. */
export function groupOf(permission: string): string {
  return permission.slice(0, permission.indexOf('.'))
}

export function isBuiltIn(role: string): role is TeamRole {
  return (teamRoles as readonly string[]).includes(role)
}

/** What roles hold together; `own` has the permissions of the team's own roles by id. The leader holds everything. */
export function rightsOf(roles: readonly string[], own: Readonly<Record<string, readonly string[]>>): Set<string> {
  const held = permissionsOf(roles, permissionMatrix)
  for (const role of roles) {
    for (const permission of own[role] ?? []) if (permission in permissionMatrix) held.add(permission)
  }
  return held
}

/** Nobody grants what he does not hold: the permissions that the grantor lacks. */
export function aboveRights(grantor: ReadonlySet<string>, permissions: Iterable<string>): string[] {
  return [...permissions].filter(permission => !grantor.has(permission))
}

export const wholeTeam: ScopeGiven = { all: true }

/** A scope as it was sent; null where it says nothing or both. */
export function readScope(sent: { all?: boolean; projects?: string[]; apps?: string[] }): ScopeGiven | null {
  const projects = [...new Set(sent.projects ?? [])]
  const apps = [...new Set(sent.apps ?? [])]
  const names = projects.length + apps.length > 0
  if (sent.all) return names ? null : wholeTeam
  return names ? { projects, apps } : null
}

export function toMemberScope(given: ScopeGiven): MemberScope {
  return 'all' in given ? 'all' : { projects: new Set(given.projects), apps: new Set(given.apps) }
}

/** Whether one scope lies within another; `projectOf` knows the project of an app. */
export function isScopeWithin(
  outer: MemberScope,
  inner: ScopeGiven,
  projectOf: (appId: string) => string | null,
): boolean {
  if (outer === 'all') return true
  if ('all' in inner) return false
  return (
    inner.projects.every(projectId => covers(outer, { projectId })) &&
    inner.apps.every(appId => covers(outer, { appId, projectId: projectOf(appId) }))
  )
}

/** The one decision: the permission is held, and the thing, where one is named, is within the scope. */
export function mayDo(
  member: { permissions: ReadonlySet<string>; scope: MemberScope },
  permission: string,
  thing?: ScopedThing,
): boolean {
  return member.permissions.has(permission) && (thing === undefined || covers(member.scope, thing))
}

export const limits = {
  teamsOfAccount: 20,
  membersOfTeam: 500,
  rolesOfTeam: 50,
  openInvitations: 50,
  providersOfTeam: 20,
  testUsersOfTeam: 10_000,
  nameLength: 64,
  scopeProjects: 200,
  scopeApps: 500,
  invitationMs: 7 * 86_400_000,
  leaderOfferMs: 72 * 3_600_000,
  membersOfBulk: 100,
  bulkMs: 30 * 60_000,
} as const

/** What may be done with many members at once. */
export const bulkActions = ['roles', 'suspend', 'restore', 'remove'] as const
export type BulkAction = (typeof bulkActions)[number]

/** What becomes of a member. `self` is the member's own right. */
export const memberLifeCycle = lifeCycle({
  entity: 'member',
  states: ['active', 'suspended', 'removed'],
  moves: [
    {
      from: ['active'],
      action: 'change',
      to: 'active',
      may: 'teams.members',
      needs: ['isNotLeader'],
      event: 'team.roles_changed',
    },
    {
      from: ['suspended'],
      action: 'change',
      to: 'suspended',
      may: 'teams.members',
      needs: ['isNotLeader'],
      event: 'team.roles_changed',
    },
    {
      from: ['active'],
      action: 'suspend',
      to: 'suspended',
      may: 'teams.members',
      needs: ['isNotLeader'],
      event: 'team.member_suspended',
    },
    { from: ['suspended'], action: 'restore', to: 'active', may: 'teams.members', event: 'team.member_restored' },
    {
      from: ['active', 'suspended'],
      action: 'remove',
      to: 'removed',
      may: 'teams.members',
      needs: ['isNotLeader'],
      event: 'team.member_removed',
    },
    {
      from: ['active', 'suspended'],
      action: 'leave',
      to: 'removed',
      may: 'self',
      needs: ['isNotLeader'],
      event: 'team.member_removed',
    },
    { from: ['removed'], action: 'join', to: 'active', may: 'system', event: 'team.member_joined' },
  ],
})
export type MemberStatus = (typeof memberLifeCycle.states)[number]
export type MemberAction = (typeof memberLifeCycle.moves)[number]['action']
