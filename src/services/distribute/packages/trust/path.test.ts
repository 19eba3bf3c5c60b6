import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Holder, makeHolder } from '../readers/authority.testkit.ts'
import { judgeChain } from './path.ts'

const now = Date.parse('2026-06-01')
const x509 = (holder: Holder) => new X509Certificate(holder.pem)
const encoded = (...holders: Holder[]) => holders.map(one => x509(one).raw.toString('base64'))

describe('a chain', () => {
  const root = makeHolder({ commonName: 'Root' })
  const middle = makeHolder({ commonName: 'Middle', issuer: root, isAuthority: true })
  const signer = makeHolder({ commonName: 'Signer', issuer: middle })
  const verdict = (chain: string[], roots: Holder[], at = now) => judgeChain(chain, roots.map(x509), at).verdict

  it('is trusted where it leads to a root that is, whether the root is inside or not', () => {
    expect(verdict(encoded(signer, middle, root), [root])).toBe('TRUSTED')
    expect(verdict(encoded(signer, middle), [root])).toBe('TRUSTED')
    expect(verdict(encoded(signer), [middle])).toBe('TRUSTED')
    const found = judgeChain(encoded(signer, middle), [x509(root)], now)
    expect(found).toMatchObject({ subject: 'CN=Signer', root: 'CN=Root' })
  })

  it('is of an unknown root where it does not, also where the name is the same', () => {
    const namesake = makeHolder({ commonName: 'Root' })
    expect(verdict(encoded(signer, middle, root), [namesake])).toBe('UNKNOWN_ROOT')
    expect(verdict(encoded(signer, root), [root])).toBe('UNKNOWN_ROOT')
    expect(verdict(encoded(signer), [root])).toBe('UNKNOWN_ROOT')
    expect(verdict(encoded(makeHolder({ commonName: 'Alone' })), [root])).toBe('UNKNOWN_ROOT')
  })

  it('is of an unknown root where somebody vouches who may not', () => {
    const below = makeHolder({ commonName: 'Below', issuer: signer })
    expect(verdict(encoded(below, signer, middle, root), [root])).toBe('UNKNOWN_ROOT')
    const short = makeHolder({ commonName: 'Short', mostBelow: 0 })
    const issued = makeHolder({ commonName: 'Issued', issuer: short, isAuthority: true })
    expect(verdict(encoded(makeHolder({ commonName: 'Direct', issuer: short })), [short])).toBe('TRUSTED')
    expect(verdict(encoded(makeHolder({ commonName: 'Far', issuer: issued }), issued), [short])).toBe('UNKNOWN_ROOT')
    const web = makeHolder({ commonName: 'Web', issuer: root, usage: 'serverAuth' })
    const code = makeHolder({ commonName: 'Code', issuer: root, usage: 'codeSigning' })
    expect([verdict(encoded(web), [root]), verdict(encoded(code), [root])]).toEqual(['UNKNOWN_ROOT', 'TRUSTED'])
  })

  it('is expired when one of it ran out, or is not valid yet', () => {
    const old = makeHolder({ commonName: 'Old', issuer: root, notAfter: new Date('2025-01-01') })
    const oldRoot = makeHolder({ commonName: 'Old root', notAfter: new Date('2025-01-01') })
    const later = makeHolder({ commonName: 'Later', issuer: root, notBefore: new Date('2030-01-01') })
    expect(verdict(encoded(old), [root])).toBe('EXPIRED')
    expect(verdict(encoded(old), [root], Date.parse('2024-01-01'))).toBe('TRUSTED')
    expect(verdict(encoded(makeHolder({ commonName: 'New', issuer: oldRoot })), [oldRoot])).toBe('EXPIRED')
    expect(verdict(encoded(later), [root])).toBe('EXPIRED')
  })
})
