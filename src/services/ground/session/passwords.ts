import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

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

/** True when the password fits. `passwordHash` undefined takes the same time and is false. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  decoy ??= hash('no password is this', cost)
  const against = passwordHash ?? (await decoy)
  const isRight = await oneAtATime(() => verify(against, password.normalize('NFKC')))
  return isRight && passwordHash !== undefined
}

export function isHashingBusy(): boolean {
  return oneAtATime.pendingCount >= longestQueue
}
