import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CompactEncrypt, importSPKI } from 'jose'
import type { Person } from '../../../testkit/stage.ts'
import { signing } from './contract.ts'

const run = promisify(execFile)

export const hasOpenssl = existsSync('/usr/bin/openssl')
export const opensslHint = 'needs openssl: apt-get install openssl'

/** A key as its owner has it: the file of a key store, and its parts. */
export interface OwnKey {
  /** PKCS#12. */
  store: Buffer
  password: string
  /** PKCS#8, PEM. */
  privateKey: string
  certificate: string
  certSha256: string
}

export interface OwnKeyWish {
  kind?: 'rsa:1024' | 'rsa:2048' | 'ec'
  days?: number
  subject?: string
}

/** Makes a key with openssl, as developers do. */
export async function ownKey({
  kind = 'rsa:2048',
  days = 10_000,
  subject = '/CN=Own',
}: OwnKeyWish = {}): Promise<OwnKey> {
  const folder = await mkdtemp(join(tmpdir(), 'loggia-own-key-'))
  const at = (name: string) => join(folder, name)
  try {
    const algorithm = kind === 'ec' ? ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] : [kind]
    const paths = ['-keyout', at('key.pem'), '-out', at('cert.pem')]
    await run('openssl', [
      'req',
      '-x509',
      '-newkey',
      ...algorithm,
      '-nodes',
      ...paths,
      '-days',
      `${days}`,
      '-subj',
      subject,
    ])
    const files = ['-inkey', at('key.pem'), '-in', at('cert.pem'), '-out', at('key.p12'), '-name', 'own']
    await run('openssl', ['pkcs12', '-export', ...files, '-passout', 'pass:own secret'])
    const certificate = await readFile(at('cert.pem'), 'utf8')
    return {
      store: await readFile(at('key.p12')),
      password: 'own secret',
      privateKey: await readFile(at('key.pem'), 'utf8'),
      certificate,
      certSha256: new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase(),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The inside of an import as the page makes it of a key store. */
export const storeContent = (key: OwnKey) => ({
  format: 'PKCS12',
  data: key.store.toString('base64'),
  password: key.password,
})

/** Encrypts a key for an app as the page does; `more` takes the place of what it would say. */
export async function encryptedFor(
  person: Person,
  appId: string,
  content: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { importKey } = await person.ok(signing, 'getSigningKey', { query: { appId } })
  if (!importKey) throw new Error('nothing may be imported now')
  const { kid, publicKey, nonce } = importKey
  const plain = Buffer.from(JSON.stringify({ appId, nonce, ...content, ...more }))
  return new CompactEncrypt(plain)
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid })
    .encrypt(await importSPKI(publicKey, 'RSA-OAEP-256'))
}
