import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { phaseBucket } from './bucketing.ts'
import { sha256Words } from './sha256.ts'

const hex = (text: string) => [...sha256Words(text)].map(word => word.toString(16).padStart(8, '0')).join('')

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('of the vectors of FIPS 180-4 is the published one', (text, digest) => expect(hex(text)).toBe(digest))

  it('is that of Node for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
        expect(hex(text)).toBe(createHash('sha256').update(text).digest('hex'))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the place of a device in a phased release', () => {
  it('is the first four bytes of the digest modulo ten thousand', () => {
    for (const [salt, device] of [
      ['736430079244000001', 'device-1'],
      ['a', 'b'],
    ] as const) {
      const digest = createHash('sha256').update(`${salt}:${device}`).digest()
      expect(phaseBucket(salt, device)).toBe(digest.readUInt32BE(0) % 10_000)
    }
    expect([phaseBucket('736430079244000001', 'device-1'), phaseBucket('a', 'b')]).toEqual([2953, 222])
  })
})
