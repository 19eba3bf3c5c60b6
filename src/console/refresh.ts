import { leaveSession, returnAddress, type SessionPort } from './session.ts'
import { stored, userInfoCookie } from './stored.ts'

let port: SessionPort | undefined
let running: Promise<boolean> | undefined

/** Told once by `main`, which alone reads the list of services. */
export function connectSession(given: SessionPort): void {
  port = given
}

export function sessionPort(): SessionPort {
  if (!port) throw new Error('no session port is connected')
  return port
}

/** `navigator.locks` is missing on plain http; then one refresh at a time holds for this tab only. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request<Promise<T>>('loggia-refresh', work).then(done => done) : work()
}

async function refreshUnlessDone(seenExpiry: number | undefined): Promise<boolean> {
  const now = userInfoCookie()?.expiretime
  if (now !== undefined && seenExpiry !== undefined && now > seenExpiry) return true
  try {
    const { accountStatus } = await sessionPort().refresh()
    return accountStatus !== 6
  } catch {
    return false
  }
}

/** One refresh at a time over all tabs; a tab that waited finds the newer cookie and does nothing. */
export function refreshSession(): Promise<boolean> {
  const seenExpiry = userInfoCookie()?.expiretime
  running ??= alone(() => refreshUnlessDone(seenExpiry)).finally(() => {
    running = undefined
  })
  return running
}

/** The session cannot be saved: remember the page, forget the person, go to sign-in. */
export async function giveUpSession(): Promise<void> {
  if (!location.hash.startsWith('#/sign-in')) returnAddress.keep(location.hash)
  await sessionPort()
    .logout()
    .catch(() => undefined)
  leaveSession()
  stored.set('loginNeeded', true)
  location.hash = '#/sign-in'
}
