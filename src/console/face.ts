import { useSyncExternalStore } from 'react'
import { mode } from './mode.ts'
import type { Face, PageSpec } from './page-spec.ts'
import { may, sessionState } from './session.ts'
import { createStore } from './store.ts'

const storageKey = 'loggia.face'
const chosen = createStore<Face | null>(sessionStorage.getItem(storageKey) as Face | null)

/** The faces this person has: the desk for staff, the developer's menu for members of a team. */
export function facesOf(): Face[] {
  const now = sessionState()
  if (now.status !== 'in') return ['visitor']
  const faces: Face[] = now.info.account.staffRoles.length > 0 ? ['reviewer'] : []
  if (now.info.teams.length > 0 || faces.length === 0) faces.push('developer')
  if (now.info.userRoles.includes('provider')) faces.push('provider')
  return faces
}

export function currentFace(): Face {
  const faces = facesOf()
  const kept = chosen.get()
  return kept && faces.includes(kept) ? kept : (faces[0] ?? 'developer')
}

export function chooseFace(face: Face): void {
  sessionStorage.setItem(storageKey, face)
  chosen.set(face)
}

export function useFace(): Face {
  useSyncExternalStore(chosen.subscribe, chosen.get)
  return currentFace()
}

/** Whether the person may see a page; the server decides again on every call. */
export function maySee(page: PageSpec): boolean {
  if (page.face === 'visitor' || page.service === 'console') return true
  if (page.isPersonal) return !mode.isDemoProject()
  return facesOf().includes(page.face) && (page.may === undefined || may(page.may))
}
