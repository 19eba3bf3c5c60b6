import { createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/errors.ts'
import { readCertificate } from './certificates.ts'
import { readImport } from './import-key.ts'
import { keySuite } from './key-suite.testkit.ts'
import { makeSigningKey } from './make-certificate.ts'
import { ownKey, storeContent } from './signing.testkit.ts'

const now = Date.UTC(2026, 10, 22)

const refusalOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
  throw new Error('it was taken')
}

describe('a key that the store makes', () => {
  it.each([
    ['RSA4096', 'rsa', 4096],
    ['EC_P256', 'ec', undefined],
  ] as const)('%s signs its own certificate, which holds thirty years', async (kind, type, bits) => {
    const { privateKey, certificate } = await makeSigningKey(kind, 'App 1', now)
    const read = new X509Certificate(certificate)
    expect([read.publicKey.asymmetricKeyType, read.publicKey.asymmetricKeyDetails?.modulusLength]).toEqual([type, bits])
    expect(read.checkPrivateKey(createPrivateKey(privateKey))).toBe(true)
    expect(read.verify(read.publicKey)).toBe(true)
    expect(read.subject).toBe('CN=App 1\nO=Loggia')
    expect(Date.parse(read.validTo) - now).toBe(30 * 365 * 86_400_000)
  })
})

keySuite('a key that is imported', () => {
  it.each(['rsa:2048', 'ec'] as const)('is read from a key store and as PKCS#8: %s', async kind => {
    const key = await ownKey({ kind })
    const fromStore = readImport(storeContent(key))
    const data = Buffer.from(key.privateKey).toString('base64')
    const fromParts = readImport({ format: 'PKCS8', data, certificate: key.certificate })
    for (const { certificate, privateKey } of [fromStore, fromParts]) {
      const read = new X509Certificate(certificate)
      expect(read.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(key.certSha256)
      expect(read.checkPrivateKey(createPrivateKey(privateKey))).toBe(true)
    }
  })

  it('is read where PKCS#8 has a password of its own', async () => {
    const key = await ownKey()
    const sealed = createPrivateKey(key.privateKey).export({
      type: 'pkcs8',
      format: 'der',
      cipher: 'aes-256-cbc',
      passphrase: 'inner',
    })
    const parts = { format: 'PKCS8', data: sealed.toString('base64'), certificate: key.certificate }
    expect(readImport({ ...parts, password: 'inner' }).privateKey).toContain('BEGIN PRIVATE KEY')
    expect(refusalOf(() => readImport({ ...parts, password: 'other' }))).toContain('the password is another')
  })

  it('is refused with the reason, which never quotes what came', async () => {
    const [key, other] = [await ownKey(), await ownKey()]
    const data = Buffer.from(key.privateKey).toString('base64')
    const store = storeContent(key)
    const cases: [Record<string, unknown>, string][] = [
      [{ ...store, password: 'wrong' }, 'the password is another'],
      [{ ...store, data: Buffer.from('no store').toString('base64') }, 'no PKCS#12 file'],
      [{ ...store, alias: 'somebody' }, 'no key in it has that alias'],
      [{ ...store, password: 7 }, 'are texts'],
      [{ ...store, format: 'JKS' }, 'PKCS12 or PKCS8'],
      [{ format: 'PKCS8', data }, 'the certificate comes as PEM'],
      [{ format: 'PKCS8', data, certificate: other.certificate }, 'the certificate is of another key'],
    ]
    for (const [content, wanted] of cases) {
      const message = refusalOf(() => readImport(content))
      expect(message).toContain(wanted)
      expect(message).not.toContain(key.privateKey.slice(30, 60))
    }
  })
})

keySuite('a certificate that is registered', () => {
  it('is no private key, alone or beside one', async () => {
    const key = await ownKey()
    for (const sent of [key.privateKey, `${key.certificate}\n${key.privateKey}`]) {
      expect(refusalOf(() => readCertificate(sent))).toContain('This is a private key')
    }
    expect(refusalOf(() => readCertificate(`${key.certificate}${key.certificate}`))).toContain('Some fields')
    expect(readCertificate(key.certificate).subject).toBe('CN=Own')
  })
})
