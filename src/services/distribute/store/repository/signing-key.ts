import { createHash, createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import forge from 'node-forge'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { storeSigningKeys } from '../tables.home.ts'

/** What signs the index. Clients pin the certificate's fingerprint, so it never changes. */
export interface SigningKey {
  privateKey: KeyObject
  /** DER. */
  certificate: Buffer
  /** SHA-256 of the certificate, upper-case hex, as clients show it. */
  fingerprint: string
}

const name = 'repository'
const makeKeyPair = promisify(generateKeyPair)

const keys = new WeakMap<Server, Promise<SigningKey>>()

/** The key of this installation; made and sealed on first use. Two processes that start at once agree on one. */
export function signingKeyOf(server: Server): Promise<SigningKey> {
  let key = keys.get(server)
  if (!key) {
    key = loadSigningKey(server).catch(error => {
      keys.delete(server)
      throw error
    })
    keys.set(server, key)
  }
  return key
}

async function loadSigningKey(server: Server): Promise<SigningKey> {
  const ctx = systemContext(server, server.config.zones[0] ?? 'CN', { name: 'store signing key' })
  const find = () =>
    ctx.transact(inner => inner.home.select().from(storeSigningKeys).where(eq(storeSigningKeys.name, name)))
  let [row] = await find()
  if (!row) {
    const made = await makeKey(server)
    await ctx.transact(inner => inner.home.insert(storeSigningKeys).values(made).onConflictDoNothing())
    row = (await find())[0] ?? made
  }
  const certificate = Buffer.from(row.certificate, 'base64')
  return {
    privateKey: createPrivateKey(server.masterKey.open('store signing key', name, row.sealedKey)),
    certificate,
    fingerprint: createHash('sha256').update(certificate).digest('hex').toUpperCase(),
  }
}

async function makeKey(server: Server): Promise<typeof storeSigningKeys.$inferInsert> {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 3072 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const now = server.clock.now()
  return {
    name,
    sealedKey: server.masterKey.seal('store signing key', name, pem),
    certificate: selfSigned(pem, now).toString('base64'),
    createdAt: now,
  }
}

/** A certificate over the key itself, for thirty years: clients trust its fingerprint, not its issuer. */
function selfSigned(pem: string, now: number): Buffer {
  const key = forge.pki.privateKeyFromPem(pem)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e)
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(now - 86_400_000)
  certificate.validity.notAfter = new Date(now + 30 * 365 * 86_400_000)
  const subject = [{ name: 'commonName', value: 'Loggia store' }]
  certificate.setSubject(subject)
  certificate.setIssuer(subject)
  certificate.sign(key, forge.md.sha256.create())
  return Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'binary')
}
