import { covers, type MemberScope, type ScopedThing } from '../../../../kernel/permissions.ts'

export interface RoleHeld {
  role: string
  /** Null for a built-in role. */
  name: string | null
  permissions: readonly string[]
}

export interface Explanation {
  permission: string
  allowed: boolean
  reason: 'granted' | 'noRole' | 'outOfScope' | 'unknownPermission' | 'suspended'
  /** The member's roles that hold the permission. */
  grantedBy: RoleHeld[]
  /** Roles of the team that would hold it. */
  wouldGrant: RoleHeld[]
  /** What covers the thing: the whole team, its project, the app itself; null when nothing does or nothing was named. */
  coveredBy: 'all' | 'project' | 'app' | null
}

/** Which role and scope give a member a permission on a thing, or what is missing. */
export function explain(
  member: { roles: readonly string[]; scope: MemberScope; isActive: boolean },
  roles: readonly RoleHeld[],
  permission: string,
  thing: ScopedThing | null,
  isKnown: (permission: string) => boolean,
): Explanation {
  const holding = roles.filter(one => one.permissions.includes(permission))
  const grantedBy = holding.filter(one => member.roles.includes(one.role))
  const isCovered = thing === null || covers(member.scope, thing)
  const reason = !isKnown(permission)
    ? 'unknownPermission'
    : !member.isActive
      ? 'suspended'
      : grantedBy.length === 0
        ? 'noRole'
        : isCovered
          ? 'granted'
          : 'outOfScope'
  return {
    permission,
    allowed: reason === 'granted',
    reason,
    grantedBy,
    wouldGrant: holding.filter(one => !member.roles.includes(one.role)),
    coveredBy: coverOf(member.scope, thing),
  }
}

function coverOf(scope: MemberScope, thing: ScopedThing | null): Explanation['coveredBy'] {
  if (scope === 'all') return 'all'
  if (thing === null || !covers(scope, thing)) return null
  return thing.appId != null && scope.apps.has(thing.appId) ? 'app' : 'project'
}
