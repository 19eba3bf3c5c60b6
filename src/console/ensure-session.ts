import { redirect } from '@tanstack/react-router'
import { isCallError } from './call-error.ts'
import { mode } from './mode.ts'
import { sessionPort } from './refresh.ts'
import { currentTeamId, enterSession, expiry, leaveSession, returnAddress, sessionState } from './session.ts'
import { stored } from './stored.ts'

function toSignIn(): never {
  returnAddress.keep(location.hash)
  leaveSession()
  throw redirect({ to: '/sign-in' as never })
}

/** Nobody signs in to look around; where there is nothing to look at, sign-in is all there is. */
async function enterDemo(): Promise<void> {
  if (sessionState().status === 'in') return
  const place = await sessionPort().visit()
  if (!place) {
    location.hash = '#/sign-in'
    throw redirect({ to: '/sign-in' as never })
  }
  stored.set('demoProject', place)
  enterSession(await sessionPort().read(place.teamId))
}

/** Runs before every page of the shell: reads the session once, sends strangers to sign-in and remembers the way. */
export async function ensureSession(): Promise<void> {
  if (mode.isDemoProject()) return enterDemo()
  if (sessionState().status === 'in' && expiry() !== 'hard') return
  // By the clock here it may look over when it is not: the server knows.
  if (expiry() === 'none') toSignIn()
  try {
    enterSession(await sessionPort().read(currentTeamId()))
  } catch (error) {
    if (isCallError(error) && error.status === 401) toSignIn()
    throw error
  }
}
