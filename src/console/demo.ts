import { commonErrors } from '../kernel/errors.ts'
import { mode } from './mode.ts'
import { createStore } from './store.ts'

/** A visitor wanted to change something; the shell offers sign-in. */
export const demoRefusal = createStore(false)

/** Whether a refusal is said by the offer to sign in, and nowhere else. */
export function isDemoRefusal({ number }: { number: number }): boolean {
  return number === commonErrors.demoReadOnly[0] && mode.isDemoProject()
}

/** To sign-in; the page that somebody looked at is no page of theirs, so they begin at home. */
export function leaveDemo(): void {
  history.replaceState(null, '', '#/sign-in')
  location.reload()
}

/** As whom this document began; undefined before it did. */
let began: boolean | undefined

/** Who goes into the demo or out of it begins anew: nothing read as one may be shown to the other. */
export function watchDemo(): void {
  began = mode.isDemoProject()
  addEventListener('hashchange', () => {
    if (mode.isDemoProject() !== began) location.reload()
  })
}

/**
 * The address has gone into the demo or out of it, and the document that began as the other is about to go: what it asked
 * now would be asked as somebody that it is not.
 */
export function isDocumentOver(): boolean {
  return began !== undefined && mode.isDemoProject() !== began
}
