import { asc, inArray } from 'drizzle-orm'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { keyTimes } from './rules.ts'
import { signingKeys } from './tables.home.ts'

export const signingAlgorithm = 'ES256'
const channel = 'signingkeys'
/** How often an unknown key id may make a process look again. */
const lookAgainMs = 1_000

interface KnownKey {
  kid: string
  publicJwk: JWK
  signsFrom: number
  publicKey: CryptoKey
  privateKey: CryptoKey
}

/**
 * The keys that sign and prove tokens, in memory. They stand in the home database, the private halves sealed, so every
 * process has the same ones; the first is made by whoever needs one first.
 */
export class KeyRing {
  readonly #server: Server
  #known: Promise<KnownKey[]> | undefined
  #lookedAt = 0

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start. */
  listen(): void {
    this.#server.signals.on('home', channel, () => {
      this.#known = undefined
    })
  }

  /** The newest key that signs already. */
  async signer(): Promise<KnownKey> {
    const now = this.#server.clock.now()
    const keys = await this.#keys()
    const key = keys.findLast(one => one.signsFrom <= now) ?? keys[0]
    if (!key) throw new Error('there is no signing key')
    return key
  }

  /** The public half of a key id, or null; only keys of the home database are ever asked. */
  async verifier(kid: string): Promise<CryptoKey | null> {
    const found = (await this.#keys()).find(one => one.kid === kid)
    if (found) return found.publicKey
    const now = performance.now()
    if (now - this.#lookedAt < lookAgainMs) return null
    this.#lookedAt = now
    this.#known = undefined
    return (await this.#keys()).find(one => one.kid === kid)?.publicKey ?? null
  }

  async published(): Promise<JWK[]> {
    return (await this.#keys()).map(one => one.publicJwk)
  }

  async #keys(): Promise<KnownKey[]> {
    this.#known ??= this.#load()
    const known = this.#known
    known.catch(() => {
      this.#known = undefined
    })
    return known
  }

  async #load(): Promise<KnownKey[]> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    const rows = await systemContext(this.#server, zone, { name: 'apiClients' }).transact(async ctx => {
      const found = await rowsOf(ctx)
      return found.length > 0 ? found : makeFirst(ctx)
    })
    return Promise.all(
      rows.map(async ({ kid, publicJwk, sealedPrivate, signsFrom }) => ({
        kid,
        publicJwk,
        signsFrom,
        publicKey: (await importJWK(publicJwk, signingAlgorithm)) as CryptoKey,
        privateKey: (await importJWK(
          JSON.parse(this.#server.masterKey.open('signing key', kid, sealedPrivate)),
          signingAlgorithm,
        )) as CryptoKey,
      })),
    )
  }
}

async function rowsOf(ctx: Context) {
  return ctx.home.select().from(signingKeys).orderBy(asc(signingKeys.signsFrom))
}

async function makeFirst(ctx: Context) {
  await lock(ctx)
  if ((await rowsOf(ctx)).length === 0) await addKey(ctx, ctx.now())
  return rowsOf(ctx)
}

async function lock(ctx: Context): Promise<void> {
  await ctx.transaction('home').query('SELECT pg_advisory_xact_lock(112, 0)')
}

async function addKey(ctx: Context, signsFrom: number): Promise<void> {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true })
  const plain = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(plain)
  const sealedPrivate = ctx.server.masterKey.seal('signing key', kid, JSON.stringify(await exportJWK(pair.privateKey)))
  const publicJwk = { ...plain, kid, alg: signingAlgorithm, use: 'sig' } as unknown as Record<string, string>
  await ctx.home.insert(signingKeys).values({ kid, publicJwk, sealedPrivate, signsFrom, createdAt: ctx.now() })
  ctx.audit(
    { action: 'signingKey.create', entity: 'signingKey', entityId: kid, teamId: null, after: { signsFrom } },
    'home',
  )
  ctx.signal('home', channel, kid)
}

/** Publishes the next key in time, and takes away keys that nothing is signed with any more. */
export async function turnKeys(ctx: Context): Promise<void> {
  const now = ctx.now()
  await lock(ctx)
  const rows = await rowsOf(ctx)
  const newest = rows.at(-1)
  if (!newest) return
  if (newest.signsFrom + keyTimes.signsMs - keyTimes.publishedBeforeMs <= now) {
    await addKey(ctx, Math.max(now + keyTimes.publishedBeforeMs, newest.signsFrom + keyTimes.signsMs))
  }
  const over = rows.filter((_row, at) => (rows[at + 1]?.signsFrom ?? Infinity) + keyTimes.keptAfterMs <= now)
  if (over.length === 0) return
  const kids = over.map(one => one.kid)
  await ctx.home.delete(signingKeys).where(inArray(signingKeys.kid, kids))
  for (const kid of kids)
    ctx.audit({ action: 'signingKey.delete', entity: 'signingKey', entityId: kid, teamId: null }, 'home')
  ctx.signal('home', channel, 'over')
}

const rings = new WeakMap<Server, KeyRing>()

/** One ring a process. */
export function keyRingOf(server: Server): KeyRing {
  let ring = rings.get(server)
  if (!ring) {
    ring = new KeyRing(server)
    rings.set(server, ring)
  }
  return ring
}
