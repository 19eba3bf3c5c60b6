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
