import { hardLifeMs, softLifeMs } from '../../../kernel/wire.ts'

/** Account status values with a meaning here. */
export const accountStatus = { normal: 1, locked: 2, pendingDeletion: 3, frozen: 4, mustSignIn: 6 } as const

/** The token before last rotation is taken this long, for requests and tabs that were under way. */
export const rotationGraceMs = 10_000

/** Login names are equal when they look equal: NFKC, trimmed, case-folded. */
export function loginKeyOf(loginName: string): string {
  return loginName.normalize('NFKC').trim().toLowerCase()
}

/** A login name that is an e-mail address is one; the others are none. */
export function addressIn(loginName: string): string | null {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(loginName) ? loginName : null
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

export const failureWindowMs = 15 * 60_000
const shortestLockMs = 60_000
const longestLockMs = 60 * 60_000

/** Tries within the window before waiting begins: of one name from one address, from one address, of a known device. */
export const triesBeforeLock = { pair: 5, address: 50, device: 5 } as const

/** So many failures of one name from everywhere, and strangers' tries for it are admitted one by one. */
export const triesBeforeSlowDown = 30
export const slowDownMs = 3_000

/** How long the next try must wait after this many failures within the window: 1, 2, 4 ... 60 minutes from the limit on. */
export function lockMsAfter(failures: number, limit: number = triesBeforeLock.pair): number {
  if (failures < limit) return 0
  return Math.min(shortestLockMs * 2 ** Math.min(failures - limit, 10), longestLockMs)
}

export const passwordLength = { min: 8, max: 128 } as const
const productWords = ['loggia', 'appgallery', 'agconnect']

export type PasswordFault = 'short' | 'long' | 'product' | 'own'

/**
 * What is wrong with a password besides being a common one, which the server alone knows. Any characters, no
 * composition rule; the name of the product or of the person is no password, nor is it with a few digits around it.
 */
export function passwordFault(password: string, own: readonly string[] = []): PasswordFault | null {
  const text = password.normalize('NFKC')
  const length = [...text].length
  if (length < passwordLength.min) return 'short'
  if (length > passwordLength.max) return 'long'
  const bare = text.toLowerCase().replace(/[\d\W_]+/g, '')
  const isMostly = (word: string) => word.length >= 4 && bare.includes(word) && bare.length - word.length < 5
  if (productWords.some(isMostly)) return 'product'
  const names = own.map(one => one.toLowerCase().replace(/[\d\W_]+/g, ''))
  return names.some(isMostly) ? 'own' : null
}

/** A proof of who one is that is older is asked for again before a dangerous change. */
export const recentMs = 5 * 60_000

export const ticketLifeMs = {
  setUp: 24 * 3_600_000,
  signUp: 24 * 3_600_000,
  reset: 30 * 60_000,
  email: 24 * 3_600_000,
  secondFactor: 10 * 60_000,
  totp: 15 * 60_000,
  passkeyRegistration: 5 * 60_000,
  passkeyFactor: 5 * 60_000,
  passkeySignIn: 5 * 60_000,
  provider: 10 * 60_000,
  keep: 10 * 60_000,
} as const

export type TicketPurpose = keyof typeof ticketLifeMs
/** Wrong answers that one step takes. */
export const triesOfTicket = 5

export const limits = {
  recoveryCodes: 10,
  passkeysOfAccount: 20,
  identitiesOfAccount: 20,
  resetsOfHour: 5,
  deviceLifeMs: 400 * 86_400_000,
  seenEveryMs: 5 * 60_000,
} as const
