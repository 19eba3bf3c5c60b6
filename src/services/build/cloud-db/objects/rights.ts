import type { ObjectType } from '../schema/contract.ts'
import { holds, isLocked, type Right, type Role } from '../schema/rules.ts'

/** Who a caller is to the rights matrix. `uid` null: nobody signed in. */
export type Standing = { isAdministrator: true } | { isAdministrator: false; uid: string | null }

/** Over which rows a right holds. */
export type Reach = 'all' | 'own' | 'none'

type Typed = Pick<ObjectType, 'fields' | 'permissions'>

/** Over which existing rows a caller holds a right: those of everybody, his own, or none. */
export function reachOf(type: Typed, who: Standing, right: Right): Reach {
  const has = (role: Role) => holds(type, role, right) && !isLocked(type, role)
  if (who.isAdministrator) return has('Administrator') ? 'all' : 'none'
  if (has('World')) return 'all'
  if (who.uid === null) return 'none'
  if (has('Authenticated')) return 'all'
  return has('Creator') ? 'own' : 'none'
}

/** Whether a caller may add rows: whoever may write his own rows may make one. */
export function mayInsert(type: Typed, who: Standing): boolean {
  return reachOf(type, who, 'Upsert') !== 'none'
}

/** Whether a right holds for a row that is there. */
export function mayTouch(reach: Reach, who: Standing, creator: string | null): boolean {
  if (reach !== 'own') return reach === 'all'
  return !who.isAdministrator && who.uid !== null && creator === who.uid
}
