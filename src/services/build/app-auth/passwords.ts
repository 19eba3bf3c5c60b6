import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { errors } from './contract.ts'
import { isForeignPassword, type OpenKey } from './foreign-hashes.ts'
import { limits, type PasswordFault, type PasswordPolicy, passwordFault } from './rules.ts'
import type { ForeignHash } from './tables.ts'

/** argon2id, 19 MiB, 2 passes; about 40 ms of a core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** A queue of its own: a burst of sign-ins to an app must not take both cores from the console. */
const oneAtATime = pLimit(1)
const longestQueue = 50
let decoy: Promise<string> | undefined

const sentences: Readonly<Record<PasswordFault, string>> = {
  short: `needs at least {least} characters`,
  long: `has more than ${limits.passwordMost} characters`,
  simple: 'needs more kinds of characters: small and capital letters, digits, others',
  own: 'is mostly the user’s own name',
  common: 'is one of those that are guessed first',
}

function assertQueue(): void {
  if (oneAtATime.pendingCount >= longestQueue) refuse(commonErrors.unavailable, { retryAfterSeconds: 2 })
}

export function checkPassword(password: string, policy: PasswordPolicy, own: readonly (string | null)[]): void {
  const fault = passwordFault(password, policy, own)
  if (fault) refuse(errors.passwordWeak, { fault: sentences[fault].replace('{least}', String(policy.minLength)) })
}

export async function hashPassword(password: string): Promise<string> {
  assertQueue()
  return oneAtATime(() => hash(password.normalize('NFKC'), cost))
}

/**
 * Whether a password fits, and whether it did so by a hash of elsewhere, which is then to be replaced. Whoever has no
 * hash, or one that is quickly judged, takes as long as everybody.
 */
export async function judgePassword(
  password: string,
  kept: { passwordHash: string | null; foreignHash: ForeignHash | null } | null,
  openKey: OpenKey,
): Promise<'right' | 'foreign' | 'wrong'> {
  assertQueue()
  decoy ??= hash('no password is this', cost)
  const against = kept?.passwordHash ?? (await decoy)
  const fits = await oneAtATime(() => verify(against, password.normalize('NFKC')))
  if (kept?.passwordHash) return fits ? 'right' : 'wrong'
  if (!kept?.foreignHash) return 'wrong'
  return (await isForeignPassword(password, kept.foreignHash, openKey)) ? 'foreign' : 'wrong'
}
