import { hardLifeMs, softLifeMs } from '../../../kernel/wire.ts'

/** Account status values with a meaning here. */
export const accountStatus = { normal: 1, locked: 2, pendingDeletion: 3, frozen: 4, mustSignIn: 6 } as const

/** The token before last rotation is taken this long, for requests and tabs that were under way. */
export const rotationGraceMs = 10_000

/** Login names are equal when they look equal: NFKC, trimmed, case-folded. */
export function loginKeyOf(loginName: string): string {
  return loginName.normalize('NFKC').trim().toLowerCase()
}

export type Liveness = 'live' | 'soft' | 'over'

/** Logged in, near expiry, expired. */
export function livenessOf(session: { softExpireAt: number; hardExpireAt: number }, now: number): Liveness {
  if (now >= session.hardExpireAt) return 'over'
  return now >= session.softExpireAt ? 'soft' : 'live'
}

/** The new soft expiry; never past the hard one. */
export function nextSoftExpiry(now: number, hardExpireAt: number): number {
  return Math.min(now + softLifeMs, hardExpireAt)
}

export function hardExpiryFrom(now: number): number {
  return now + hardLifeMs
}

export type TokenVerdict = 'current' | 'previous' | 'replayed'

/** What a token's counter says: the current one, the one before within the grace, or one that was used up. */
export function judgeCounter(
  counter: number,
  session: { counter: number; rotatedAt: number },
  now: number,
): TokenVerdict {
  if (counter === session.counter) return 'current'
  if (counter === session.counter - 1 && now - session.rotatedAt <= rotationGraceMs) return 'previous'
  return 'replayed'
}

const failuresBeforeLock = 5
export const failureWindowMs = 15 * 60_000

/** How long the next try must wait after this many failures within the window: 1, 2, 4 ... 60 minutes from the fifth. */
export function lockMsAfter(failures: number): number {
  if (failures < failuresBeforeLock) return 0
  return Math.min(60_000 * 2 ** (failures - failuresBeforeLock), 60 * 60_000)
}
