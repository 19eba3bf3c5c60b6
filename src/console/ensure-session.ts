import { redirect } from '@tanstack/react-router'
import { isCallError } from './call-error.ts'
import { sessionPort } from './refresh.ts'
import { currentTeamId, enterSession, expiry, leaveSession, returnAddress, sessionState } from './session.ts'

function toSignIn(): never {
  returnAddress.keep(location.hash)
  leaveSession()
  throw redirect({ to: '/sign-in' as never })
}

/** Runs before every page of the shell: reads the session once, sends strangers to sign-in and remembers the way. */
export async function ensureSession(): Promise<void> {
  if (sessionState().status === 'in' && expiry() !== 'hard') return
  if (['none', 'hard'].includes(expiry())) toSignIn()
  try {
    enterSession(await sessionPort().read(currentTeamId()))
  } catch (error) {
    if (isCallError(error) && error.status === 401) toSignIn()
    throw error
  }
}
