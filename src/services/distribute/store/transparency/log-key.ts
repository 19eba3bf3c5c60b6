import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { storeSigningKeys } from '../tables.home.ts'

/** What signs the log of releases: Ed25519, as signed notes of public logs have it. */
export interface LogKey {
  /** Names the log and its key: the address of the installation without its scheme. */
  origin: string
  /** 32 bytes, base64. */
  publicKey: string
  /** Puts the signature below the text. */
  sign(text: string): string
}

const name = 'transparency'
const purpose = 'store signing key'
const keys = new WeakMap<Server, Promise<LogKey>>()

/** The key of this installation; made and sealed on first use. Two processes that start at once agree on one. */
export function loadLogKey(server: Server): Promise<LogKey> {
  let key = keys.get(server)
  if (!key) {
    key = load(server).catch(error => {
      keys.delete(server)
      throw error
    })
    keys.set(server, key)
  }
  return key
}

async function load(server: Server): Promise<LogKey> {
  const ctx = systemContext(server, server.config.zones[0] ?? 'CN', { name: 'store log key' })
  const find = () =>
    ctx.transact(inner => inner.home.select().from(storeSigningKeys).where(eq(storeSigningKeys.name, name)))
  let [row] = await find()
  if (!row) {
    const made = makeKey(server)
    await ctx.transact(inner => inner.home.insert(storeSigningKeys).values(made).onConflictDoNothing())
    row = (await find())[0] ?? made
  }
  const privateKey = createPrivateKey(server.masterKey.open(purpose, name, row.sealedKey))
  const origin = `${new URL(server.config.publicUrl).host}/store`
  const publicKey = Buffer.from(row.certificate, 'base64')
  const keyId = keyIdOf(origin, publicKey)
  return {
    origin,
    publicKey: row.certificate,
    sign: text => {
      const signature = Buffer.concat([keyId, sign(null, Buffer.from(text), privateKey)])
      return `${text}\n— ${origin} ${signature.toString('base64')}\n`
    },
  }
}

function makeKey(server: Server): typeof storeSigningKeys.$inferInsert {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  return {
    name,
    sealedKey: server.masterKey.seal(purpose, name, pem),
    certificate: rawPublicKey(privateKey).toString('base64'),
    createdAt: server.clock.now(),
  }
}

function rawPublicKey(privateKey: KeyObject): Buffer {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  return Buffer.from(x as string, 'base64url')
}

/** Four bytes that tell which key signed a note: of its name, the kind 1 (Ed25519) and the key. */
function keyIdOf(origin: string, publicKey: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.of(1), publicKey])
  return createHash('sha256').update(named).digest().subarray(0, 4)
}
