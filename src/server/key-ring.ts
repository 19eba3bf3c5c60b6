import { asc, inArray } from 'drizzle-orm'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { ZoneId } from '../kernel/zones.ts'
import type { signingKeyTable } from './columns.ts'
import { type Context, systemContext } from './context.ts'
import type { DatabaseName } from './database/pools.ts'
import type { Server } from './server.ts'

export const signingAlgorithm = 'ES256'
/** How often an unknown key id may make a process look again. */
const lookAgainMs = 1_000

/** What one kind of token is signed with. */
export interface KeyRingKind {
  /** Whose keys they are, as the acts of the machine name it. */
  actor: string
  table: ReturnType<typeof signingKeyTable>
  /** One ring for all of Loggia, or one a zone. */
  database: 'home' | 'zone'
  /** Signal that tells every process of a change. */
  channel: string
  entity: string
  /** What the master key seals the private halves as. */
  sealedAs: string
  /** Advisory lock that one change at a time holds. */
  lock: number
  /** How long a key signs, how long before that it is published, and how long after the next one's start it is kept. */
  times: { signsMs: number; publishedBeforeMs: number; keptAfterMs: number }
}

interface KnownKey {
  kid: string
  publicJwk: JWK
  signsFrom: number
  publicKey: CryptoKey
  privateKey: CryptoKey
}

/**
 * Keys that sign and prove tokens, in memory. They stand in the database, the private halves sealed, so every process
 * has the same ones; the first is made by whoever needs one first.
 */
class KeyRing {
  readonly #server: Server
  readonly #kind: KeyRingKind
  readonly #zone: ZoneId
  #known: Promise<KnownKey[]> | undefined
  #lookedAt = 0

  constructor(server: Server, kind: KeyRingKind, zone: ZoneId) {
    this.#server = server
    this.#kind = kind
    this.#zone = zone
  }

  /** Call before the signals start. */
  listen(): void {
    this.#server.signals.on(databaseOf(this.#kind, this.#zone), this.#kind.channel, () => {
      this.#known = undefined
    })
  }

  /** The newest key that signs already. */
  async signer(): Promise<KnownKey> {
    const now = this.#server.clock.now()
    const keys = await this.#keys()
    const key = keys.findLast(one => one.signsFrom <= now) ?? keys[0]
    if (!key) throw new Error('there is no key to sign with')
    return key
  }

  /** The public half of a key id, or null; only keys of the database are ever asked. */
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
    const kind = this.#kind
    const rows = await systemContext(this.#server, this.#zone, { name: kind.actor }).transact(async ctx => {
      const found = await rowsOf(ctx, kind)
      return found.length > 0 ? found : makeFirst(ctx, kind)
    })
    const open = async (jwk: JWK) => (await importJWK(jwk, signingAlgorithm)) as CryptoKey
    return Promise.all(
      rows.map(async ({ kid, publicJwk, sealedPrivate, signsFrom }) => ({
        kid,
        publicJwk,
        signsFrom,
        publicKey: await open(publicJwk),
        privateKey: await open(JSON.parse(this.#server.masterKey.open(kind.sealedAs, kid, sealedPrivate))),
      })),
    )
  }
}

const databaseOf = (kind: KeyRingKind, zone: ZoneId): DatabaseName => (kind.database === 'home' ? 'home' : zone)
const dbOf = (ctx: Context, kind: KeyRingKind) => ctx.transaction(databaseOf(kind, ctx.zone)).db
const rowsOf = (ctx: Context, kind: KeyRingKind) =>
  dbOf(ctx, kind).select().from(kind.table).orderBy(asc(kind.table.signsFrom))

async function lock(ctx: Context, kind: KeyRingKind): Promise<void> {
  await ctx
    .transaction(databaseOf(kind, ctx.zone))
    .query({ text: 'SELECT pg_advisory_xact_lock($1, 0)', values: [kind.lock] })
}

async function makeFirst(ctx: Context, kind: KeyRingKind) {
  await lock(ctx, kind)
  if ((await rowsOf(ctx, kind)).length === 0) await addKey(ctx, kind, ctx.now())
  return rowsOf(ctx, kind)
}

async function addKey(ctx: Context, kind: KeyRingKind, signsFrom: number): Promise<void> {
  const database = databaseOf(kind, ctx.zone)
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true })
  const plain = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(plain)
  const sealedPrivate = ctx.server.masterKey.seal(kind.sealedAs, kid, JSON.stringify(await exportJWK(pair.privateKey)))
  const publicJwk = { ...plain, kid, alg: signingAlgorithm, use: 'sig' } as unknown as Record<string, string>
  await dbOf(ctx, kind).insert(kind.table).values({ kid, publicJwk, sealedPrivate, signsFrom, createdAt: ctx.now() })
  const { entity } = kind
  ctx.audit({ action: `${entity}.create`, entity, entityId: kid, teamId: null, after: { signsFrom } }, database)
  ctx.signal(database, kind.channel, kid)
}

/** Publishes the next key in time, and takes away keys that nothing is signed with any more. */
async function turnKeys(ctx: Context, kind: KeyRingKind): Promise<void> {
  const now = ctx.now()
  const { table, entity, times } = kind
  const database = databaseOf(kind, ctx.zone)
  await lock(ctx, kind)
  const rows = await rowsOf(ctx, kind)
  const newest = rows.at(-1)
  if (!newest) return
  if (newest.signsFrom + times.signsMs - times.publishedBeforeMs <= now) {
    await addKey(ctx, kind, Math.max(now + times.publishedBeforeMs, newest.signsFrom + times.signsMs))
  }
  const over = rows.filter((_row, at) => (rows[at + 1]?.signsFrom ?? Infinity) + times.keptAfterMs <= now)
  if (over.length === 0) return
  const kids = over.map(one => one.kid)
  await dbOf(ctx, kind).delete(table).where(inArray(table.kid, kids))
  for (const kid of kids) ctx.audit({ action: `${entity}.delete`, entity, entityId: kid, teamId: null }, database)
  ctx.signal(database, kind.channel, 'over')
}

/** The rings of one kind: `of` gives the one of a process (and zone), `turn` is its sweep. */
export function keyRings(kind: KeyRingKind) {
  const rings = new WeakMap<Server, Map<ZoneId, KeyRing>>()
  return {
    of(server: Server, zone: ZoneId = server.config.zones[0] ?? 'CN'): KeyRing {
      const ofServer = rings.get(server) ?? new Map<ZoneId, KeyRing>()
      rings.set(server, ofServer)
      let ring = ofServer.get(zone)
      if (!ring) {
        ring = new KeyRing(server, kind, zone)
        ofServer.set(zone, ring)
      }
      return ring
    },
    turn: (ctx: Context) => turnKeys(ctx, kind),
  }
}
