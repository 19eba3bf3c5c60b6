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
  'teams.delete': ['leader'],
  'projects.read': everyone,
  'projects.create': builders,
  'projects.edit': builders,
  'projects.delete': admins,
  'files.read': everyone,
  'files.upload': [...builders, 'operations', 'marketing'],
  'apps.read': everyone,
  'apps.create': builders,
  'apps.edit': builders,
  'apps.delete': admins,
  'packages.read': everyone,
  'packages.upload': builders,
  'versions.read': everyone,
  'versions.edit': [...builders, 'operations'],
  'versions.submit': releasers,
  'versions.withdraw': ['leader', 'administrator', 'appAdmin'],
  'versions.release': releasers,
  'versions.shelfOff': ['leader', 'administrator', 'appAdmin'],
  'review.message': [...releasers, 'developer'],
  'store.read': everyone,
}

/** What staff may do, over all teams of a zone. */
export const staffMatrix: Readonly<Record<string, readonly StaffRole[]>> = {
  'review.read': ['reviewer', 'seniorReviewer', 'storeAdministrator', 'storeOperator'],
  'review.decide': ['reviewer', 'seniorReviewer'],
  'review.senior': ['seniorReviewer'],
  'store.operate': ['storeOperator', 'seniorReviewer'],
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

/** Nobody grants what he does not hold: every permission of the roles must be the grantor's own. */
export function mayGrant(grantor: ReadonlySet<string>, roles: readonly string[]): boolean {
  return [...permissionsOf(roles, permissionMatrix)].every(permission => grantor.has(permission))
}

export const limits = { teamsOfAccount: 20, membersOfTeam: 500, nameLength: 64 } as const

/**
 * The specification's display rule (section 6): leader is who has no user id or one equal to the team's; without a team
 * the main user decides. The server goes by the team's row, not by this.
 */
export function isLeaderByHints(hints: { teamId?: string; uid?: string; mainUserId?: string }): boolean {
  if (hints.teamId) return !hints.uid || hints.uid === hints.teamId
  if (hints.mainUserId) return !hints.uid || hints.uid === hints.mainUserId
  return true
}
