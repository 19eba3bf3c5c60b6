/** What the browser gets: only permissions that are held, each with the value `Y` (specification, section 6). */
export type UserPermission = Readonly<Record<string, string>>

/** A permission holds only if its value is exactly `Y`. */
export function holds(userPermission: UserPermission, permission: string): boolean {
  return Object.hasOwn(userPermission, permission) && userPermission[permission] === 'Y'
}

/** The map of what is held. */
export function toUserPermission(permissions: Iterable<string>): Record<string, string> {
  const map: Record<string, string> = {}
  for (const permission of permissions) map[permission] = 'Y'
  return map
}

/** Where in the team a member's rights hold: everywhere, or in some projects with all their apps and in some apps. */
export type MemberScope = 'all' | { readonly projects: ReadonlySet<string>; readonly apps: ReadonlySet<string> }

/** What a call is about; an app is best named with its project, for the project may be what is in scope. */
export interface ScopedThing {
  projectId?: string | null
  appId?: string | null
}

/** Whether a thing is within a scope. What belongs to the team as a whole is within no scope but `all`. */
export function covers(scope: MemberScope, { projectId, appId }: ScopedThing): boolean {
  if (scope === 'all') return true
  return (appId != null && scope.apps.has(appId)) || (projectId != null && scope.projects.has(projectId))
}

/** A scope as it is written down: the whole team, or some projects with their apps and some apps. */
export type ScopeGiven = { all: true } | { projects: string[]; apps: string[] }
