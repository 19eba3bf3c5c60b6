import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newKey, newRequest, openssl } from '../harmony.testkit.ts'
import { readSigningRequest } from './signing-request.ts'

const key = newKey()
const request = newRequest(key)
const derOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
const pemOf = (der: Buffer) =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE REQUEST-----\n`

describe('a signing request', () => {
  it.each(['P-256', 'RSA 3072'] as const)('of openssl for a key %s is read, with the key that signed it', kind => {
    const own = newKey(kind)
    const read = readSigningRequest(newRequest(own))
    if (typeof read === 'string') throw new Error(read)
    const spki = openssl(['pkey', '-in', 'own.key', '-pubout'], { 'own.key': own }).text
    expect(read.publicKey.export({ type: 'spki', format: 'pem' })).toBe(spki)
  })

  it.each(['-sha256', '-sha384', '-sha512'])('signed with %s is taken', hash => {
    expect(readSigningRequest(newRequest(key, '/CN=a', [hash]))).toMatchObject({ sha256: expect.any(String) })
  })

  it('is known by the digest of its bytes', () => {
    const sha256 = createHash('sha256').update(derOf(request)).digest('hex')
    expect(readSigningRequest(request)).toMatchObject({ sha256 })
  })

  it.each([
    ['a key on P-521', newRequest(newKey('P-521')), 'its key is on secp521r1; take P-256'],
    ['an RSA key of 1024 bits', newRequest(newKey('RSA 1024')), 'its RSA key has 1024 bits; take 3072 or more'],
    ['a key for Ed25519', newRequest(newKey('Ed25519')), 'its key is neither EC P-256 nor RSA'],
    ['a hash that was broken', newRequest(key, '/CN=a', ['-sha1']), expect.stringContaining('SHA-256')],
    ['a private key', key, expect.stringContaining('it is a private key')],
    ['text before it', `Certificate Request:\n${request}`, expect.stringContaining('nothing before')],
    ['text after it', `${request}\nrun this`, expect.stringContaining('nothing before')],
    ['two of them', request + request, expect.stringContaining('not one request')],
    ['nothing', ' ', expect.stringContaining('not one request')],
    ['other bytes', pemOf(Buffer.from('0500', 'hex')), 'it is no PKCS#10 request in DER'],
    ['bytes behind it', pemOf(Buffer.concat([derOf(request), Buffer.alloc(3)])), 'it is no PKCS#10 request in DER'],
    ['half of it', pemOf(derOf(request).subarray(0, 100)), 'it is no PKCS#10 request in DER'],
    ['a thousand levels', pemOf(Buffer.from('3080'.repeat(700), 'hex')), 'it is no PKCS#10 request in DER'],
  ])('with %s is refused with the reason', (_, csr, reason) => {
    expect(readSigningRequest(csr)).toEqual(reason)
  })

  it('with the key of somebody else put in is refused: who asks has to hold the key', () => {
    const other = derOf(newRequest(newKey()))
    const own = derOf(request)
    const point = (der: Buffer) => der.indexOf(Buffer.from('034200', 'hex')) + 3
    const forged = Buffer.from(own)
    other.copy(forged, point(own), point(other), point(other) + 65)
    expect(readSigningRequest(pemOf(forged))).toBe('it is not signed with the key that it is for')
  })

  it.each([40, 90, -5])('with a bit turned at %i is refused', at => {
    const der = derOf(request)
    const place = at < 0 ? der.length + at : at
    der[place] = (der[place] ?? 0) ^ 1
    expect(readSigningRequest(pemOf(der))).toEqual(expect.any(String))
  })
})
