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
