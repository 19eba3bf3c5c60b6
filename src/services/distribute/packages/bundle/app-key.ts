import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { and, eq, isNull } from 'drizzle-orm'
import forge from 'node-forge'
import type { Context } from '../../../../server/context.ts'
import { appSigningKeys } from '../tables.ts'

/** What signs the APKs that are made of an app's bundles. */
export interface AppKey {
  /** PKCS#8, PEM. */
  privateKey: string
  /** PEM. */
  certificate: string
  certSha256: string
  /** The certificate its bundles must be signed with; null until the first one is accepted. */
  uploadCertSha256: string | null
}

const purpose = 'packages.appKey'
const yearMs = 365 * 86_400_000
const makeKeyPair = promisify(generateKeyPair)

/** The signing key of the app, made and sealed on first use; two jobs that start at once agree on one. */
export async function appKeyOf(ctx: Context, app: { appId: string; teamId: string }): Promise<AppKey> {
  const { appId, teamId } = app
  const find = () =>
    ctx.transact(inner => inner.db.select().from(appSigningKeys).where(eq(appSigningKeys.appId, appId)))
  let [row] = await find()
  if (!row) {
    const { privateKey } = await makeKeyPair('rsa', { modulusLength: 3072 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const { certificate, der } = selfSigned(pem, `App ${appId}`, ctx.now())
    const certSha256 = createHash('sha256').update(der).digest('hex')
    const sealedKey = ctx.server.masterKey.seal(purpose, appId, pem)
    const made = { appId, teamId, sealedKey, certificate, certSha256, uploadCertSha256: null, createdAt: ctx.now() }
    await ctx.transact(inner => inner.db.insert(appSigningKeys).values(made).onConflictDoNothing())
    row = (await find())[0] ?? made
  }
  const { certificate, certSha256, uploadCertSha256 } = row
  return {
    privateKey: ctx.server.masterKey.open(purpose, appId, row.sealedKey),
    certificate,
    certSha256,
    uploadCertSha256,
  }
}

/** The first accepted bundle decides who uploads bundles of the app. In the transaction of its acceptance. */
export async function pinUploader(ctx: Context, appId: string, uploadCertSha256: string): Promise<void> {
  await ctx.db
    .update(appSigningKeys)
    .set({ uploadCertSha256 })
    .where(and(eq(appSigningKeys.appId, appId), isNull(appSigningKeys.uploadCertSha256)))
}

/** Thirty years: a store refuses updates signed with a certificate that ran out. */
function selfSigned(pem: string, commonName: string, now: number): { certificate: string; der: Buffer } {
  const key = forge.pki.privateKeyFromPem(pem)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e)
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(now - 86_400_000)
  certificate.validity.notAfter = new Date(now + 30 * yearMs)
  const subject = [
    { name: 'commonName', value: commonName },
    { name: 'organizationName', value: 'Loggia' },
  ]
  certificate.setSubject(subject)
  certificate.setIssuer(subject)
  certificate.sign(key, forge.md.sha256.create())
  const der = Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'binary')
  return { certificate: forge.pki.certificateToPem(certificate), der }
}
