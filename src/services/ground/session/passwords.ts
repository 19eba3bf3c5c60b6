import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { badField } from '../../../server/http/problem.ts'
import { commonPasswords } from './common-passwords.data.ts'
import { type PasswordFault, passwordFault, passwordLength } from './rules.ts'

/** argon2id, 19 MiB, 2 passes (OWASP's first choice); about 40 ms of a core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing has a queue of its own, so that a burst of sign-ins cannot take both cores from everybody else. */
const oneAtATime = pLimit(1)
const longestQueue = 50

/** A hash of no password, verified for unknown accounts so that they take as long as known ones. */
let decoy: Promise<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return oneAtATime(() => hash(password.normalize('NFKC'), cost))
}

/** True when the password fits. Without a hash, or with the empty one of an account without password, it takes as long. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  decoy ??= hash('no password is this', cost)
  const against = passwordHash || (await decoy)
  const isRight = await oneAtATime(() => verify(against, password.normalize('NFKC')))
  return isRight && Boolean(passwordHash)
}

export function isHashingBusy(): boolean {
  return oneAtATime.pendingCount >= longestQueue
}

const sentences: Readonly<Record<PasswordFault | 'common', string>> = {
  short: `needs at least ${passwordLength.min} characters`,
  long: `has more than ${passwordLength.max} characters`,
  product: 'is mostly the name of this product; choose something else',
  own: 'is mostly your own name; choose something else',
  common: 'is one of the passwords that are guessed first; choose something else',
}

/** Refuses the field `password` when it is too weak; `own` are names of the person. */
export function checkPassword(password: string, own: readonly (string | null | undefined)[]): void {
  const words = own.flatMap(one => (one ? [one, ...one.split('@')] : []))
  const fault = passwordFault(password, words) ?? (isCommon(password) ? 'common' : null)
  if (fault) throw badField('/password', fault, sentences[fault])
}

function isCommon(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase().trim()
  return commonPasswords.has(text) || /^(.)\1*$/u.test(text)
}
