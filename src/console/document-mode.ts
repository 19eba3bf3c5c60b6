import { mode } from './mode.ts'

/** As whom the address says that things are asked: somebody with a session, a visitor of the demo, a tester without either. */
type Whom = 'member' | 'visitor' | 'tester'
const whomNow = (): Whom => (mode.isOpenTest() ? 'tester' : mode.isDemoProject() ? 'visitor' : 'member')

/** As whom this document began; undefined before it did. */
let began: Whom | undefined
let isLeaving = false

/** Where the address comes to mean another the console begins anew: nothing read as one may be shown to the other. Returns how to end it. */
export function watchMode(): () => void {
  began = whomNow()
  isLeaving = false
  addEventListener('hashchange', beginAnewForOther)
  return () => {
    began = undefined
    removeEventListener('hashchange', beginAnewForOther)
  }
}

/** Told of every address, also of those the browser does not tell of because the console itself went there. */
export function beginAnewForOther(): void {
  if (isLeaving || !isDocumentOver()) return
  isLeaving = true
  location.reload()
}

/** The address means somebody else, and the document that began before is about to go: what it asked now would be asked as them. */
export function isDocumentOver(): boolean {
  return began !== undefined && whomNow() !== began
}
