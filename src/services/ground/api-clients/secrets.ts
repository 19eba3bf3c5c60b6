import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { and, asc, eq, isNotNull } from 'drizzle-orm'
import pLimit from 'p-limit'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { MasterKey } from '../../../server/master-key.ts'
import { errors } from './contract.ts'
import { clientSecrets } from './tables.home.ts'

/** argon2id, 19 MiB, 2 passes; about 40 ms of a core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const oneAtATime = pLimit(1)
const longestQueue = 50
const isBusy = () => oneAtATime.pendingCount >= longestQueue
const purpose = 'client secret'
const shapeOfSecret = /^lgs_([A-Za-z0-9_-]{43})_([A-Za-z0-9_-]{10})$/

/**
 * 256 random bits and a sum under the master key, behind letters that secret scanners can look for. The sum tells a
 * guess from a secret that was made here, so guessing costs nobody a hash; it says nothing of whose the secret is.
 */
export function newSecret(key: MasterKey): string {
  const random = randomBytes(32).toString('base64url')
  return `lgs_${random}_${key.sign(purpose, random).slice(0, 10)}`
}

export function isMadeHere(key: MasterKey, secret: string): boolean {
  const [, random = '', sum = ''] = shapeOfSecret.exec(secret) ?? []
  const expected = Buffer.from(key.sign(purpose, random).slice(0, 10))
  const given = Buffer.from(sum)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** A new secret with what is kept of it. Hashing takes tens of milliseconds: call it outside a transaction. */
export async function makeSecret(ctx: Context): Promise<{ secret: string; hash: string; prefix: string }> {
  if (isBusy()) refuse(errors.secretBusy, { retryAfterSeconds: 5 })
  const secret = newSecret(ctx.server.masterKey)
  return { secret, hash: await oneAtATime(() => hash(secret, cost)), prefix: secret.slice(0, 10) }
}

/** Secrets that fitted a hash, by the hash: what a process proved it need not hash again. Digests only. */
const proven = new Map<string, Buffer>()
const mostProven = 5_000
let decoy: Promise<string> | undefined

export type SecretJudged = 'right' | 'wrong' | 'busy'

/** Whether a secret fits one of some hashes. Without any it takes as long, so that it tells nothing of what there is. */
export async function judgeSecret(key: MasterKey, secret: string, hashes: readonly string[]): Promise<SecretJudged> {
  if (!isMadeHere(key, secret)) return 'wrong'
  const digest = createHash('sha256').update(secret).digest()
  for (const one of hashes) {
    const known = proven.get(one)
    if (known && timingSafeEqual(known, digest)) return 'right'
  }
  if (isBusy()) return 'busy'
  decoy ??= hash('no secret is this', cost)
  // Always two: a client has one or two, an unknown one none.
  const against = [...hashes, await decoy, await decoy].slice(0, Math.max(2, hashes.length))
  let found: string | undefined
  for (const one of against) if (await oneAtATime(() => verify(one, secret))) found = one
  if (found === undefined) return 'wrong'
  if (proven.size >= mostProven) proven.clear()
  proven.set(found, digest)
  return 'right'
}

/** The secrets of a client that are good now, the oldest first. */
export async function liveSecretsOf(ctx: Context, clientId: string) {
  const rows = await ctx.home
    .select()
    .from(clientSecrets)
    .where(eq(clientSecrets.clientId, clientId))
    .orderBy(asc(clientSecrets.secretId))
  return rows.filter(row => row.expiresAt === null || row.expiresAt > ctx.now())
}

export async function addSecret(
  ctx: Context,
  of: { clientId: string; teamId: string },
  made: { hash: string; prefix: string },
): Promise<void> {
  const { hash: kept, prefix } = made
  await ctx.home
    .insert(clientSecrets)
    .values({ secretId: ctx.newId(), ...of, hash: kept, prefix, createdAt: ctx.now() })
}

/** Puts a new secret in place of the last; the last is good for `overlapMs` more, what was there before that ends. */
export async function rotateSecret(
  ctx: Context,
  of: { clientId: string; teamId: string },
  made: { hash: string; prefix: string },
  overlapMs: number,
): Promise<void> {
  const live = await liveSecretsOf(ctx, of.clientId)
  const last = live.findLast(one => one.expiresAt === null) ?? live.at(-1)
  await ctx.home.delete(clientSecrets).where(eq(clientSecrets.clientId, of.clientId))
  if (last && overlapMs > 0) await ctx.home.insert(clientSecrets).values({ ...last, expiresAt: ctx.now() + overlapMs })
  await addSecret(ctx, of, made)
}

/** Ends replaced secrets before their time. */
export async function endFormer(ctx: Context, clientId: string): Promise<void> {
  await ctx.home
    .delete(clientSecrets)
    .where(and(eq(clientSecrets.clientId, clientId), isNotNull(clientSecrets.expiresAt)))
}
