import type { MasterKey } from '../../../server/master-key.ts'

/**
 * A session token is `sessionId.counter.mac`. Nothing secret is stored: the mac is recomputed, so a check costs an HMAC,
 * and the token after a rotation can be handed to every tab that asks within the grace.
 */
export function tokenOf(key: MasterKey, sessionId: string, counter: number): string {
  return `${sessionId}.${counter}.${key.sign('session', `${sessionId}.${counter}`)}`
}

export function readToken(key: MasterKey, token: string): SessionToken | null {
  const proven = provenWith(key)
  const known = proven.get(token)
  if (known) return known
  const read = proveToken(key, token)
  if (read) {
    if (proven.size >= mostProven) proven.clear()
    proven.set(token, read)
  }
  return read
}

export interface SessionToken {
  sessionId: string
  counter: number
}

/** Tokens whose mac was right; a token proves the same for ever, whether its session lives is asked elsewhere. */
const provenByKey = new WeakMap<MasterKey, Map<string, SessionToken>>()
const mostProven = 20_000

function provenWith(key: MasterKey): Map<string, SessionToken> {
  let proven = provenByKey.get(key)
  if (!proven) {
    proven = new Map()
    provenByKey.set(key, proven)
  }
  return proven
}

function proveToken(key: MasterKey, token: string): SessionToken | null {
  const [sessionId, counterText, mac, rest] = token.split('.')
  if (!sessionId || !counterText || !mac || rest !== undefined || !/^[1-9][0-9]{0,8}$/.test(counterText)) return null
  if (!key.verify('session', `${sessionId}.${counterText}`, mac)) return null
  return { sessionId, counter: Number(counterText) }
}

/** The double-submit token of a session. */
export function csrfTokenOf(key: MasterKey, sessionId: string): string {
  return key.sign('csrf', sessionId)
}

/** The team-level token: of this session, this team and this UTC day. */
export function teamCsrfTokenOf(key: MasterKey, sessionId: string, teamId: string, day: string): string {
  return key.sign('team csrf', `${sessionId} ${teamId} ${day}`)
}
