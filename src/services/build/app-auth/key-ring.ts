import { asc, inArray } from 'drizzle-orm'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { ZoneId } from '../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { keyTimes } from './rules.ts'
import { authKeys } from './tables.ts'

export const algorithm = 'ES256'
const channel = 'appauthkeys'
/** How often an unknown key id may make a process look again. */
const lookAgainMs = 1000

interface KnownKey {
  kid: string
  publicJwk: JWK
  signsFrom: number
  publicKey: CryptoKey
  privateKey: CryptoKey
}

/** The keys of one zone in memory. They stand in its database, the private halves sealed, so every process has the same. */
export class KeyRing {
  readonly #server: Server
  readonly #zone: ZoneId
  #known: Promise<KnownKey[]> | undefined
  #lookedAt = 0

  constructor(server: Server, zone: ZoneId) {
    this.#server = server
    this.#zone = zone
  }

  /** Call before the signals start. */
  listen(): void {
    this.#server.signals.on(this.#zone, channel, () => {
      this.#known = undefined
    })
  }

  async signer(): Promise<KnownKey> {
    const now = this.#server.clock.now()
    const keys = await this.#keys()
    const key = keys.findLast(one => one.signsFrom <= now) ?? keys[0]
    if (!key) throw new Error('there is no key to sign with')
    return key
  }

  /** The public half of a key id, or null; only keys of the zone's database are ever asked. */
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

  #keys(): Promise<KnownKey[]> {
    this.#known ??= this.#load()
    const known = this.#known
    known.catch(() => {
      this.#known = undefined
    })
    return known
  }

  async #load(): Promise<KnownKey[]> {
    const rows = await systemContext(this.#server, this.#zone, { name: 'appAuth' }).transact(async ctx => {
      const found = await rowsOf(ctx)
      return found.length > 0 ? found : makeFirst(ctx)
    })
    return Promise.all(
      rows.map(async ({ kid, publicJwk, sealedPrivate, signsFrom }) => ({
        kid,
        publicJwk,
        signsFrom,
        publicKey: (await importJWK(publicJwk, algorithm)) as CryptoKey,
        privateKey: (await importJWK(
          JSON.parse(this.#server.masterKey.open('app auth key', kid, sealedPrivate)),
          algorithm,
        )) as CryptoKey,
      })),
    )
  }
}

const rowsOf = (ctx: Context) => ctx.db.select().from(authKeys).orderBy(asc(authKeys.signsFrom))

async function makeFirst(ctx: Context) {
  await lock(ctx)
  if ((await rowsOf(ctx)).length === 0) await addKey(ctx, ctx.now())
  return rowsOf(ctx)
}

async function lock(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(402, 0)')
}

async function addKey(ctx: Context, signsFrom: number): Promise<void> {
  const pair = await generateKeyPair(algorithm, { extractable: true })
  const plain = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(plain)
  const sealedPrivate = ctx.server.masterKey.seal('app auth key', kid, JSON.stringify(await exportJWK(pair.privateKey)))
  const publicJwk = { ...plain, kid, alg: algorithm, use: 'sig' } as unknown as Record<string, string>
  await ctx.db.insert(authKeys).values({ kid, publicJwk, sealedPrivate, signsFrom, createdAt: ctx.now() })
  ctx.audit({ action: 'appAuthKey.create', entity: 'appAuthKey', entityId: kid, teamId: null, after: { signsFrom } })
  ctx.signal(ctx.zone, channel, kid)
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
  await ctx.db.delete(authKeys).where(inArray(authKeys.kid, kids))
  for (const kid of kids) ctx.audit({ action: 'appAuthKey.delete', entity: 'appAuthKey', entityId: kid, teamId: null })
  ctx.signal(ctx.zone, channel, 'over')
}

const rings = new WeakMap<Server, Map<ZoneId, KeyRing>>()

/** One ring a zone and process. */
export function keyRingOf(server: Server, zone: ZoneId): KeyRing {
  const ofServer = rings.get(server) ?? new Map<ZoneId, KeyRing>()
  rings.set(server, ofServer)
  let ring = ofServer.get(zone)
  if (!ring) {
    ring = new KeyRing(server, zone)
    ofServer.set(zone, ring)
  }
  return ring
}
