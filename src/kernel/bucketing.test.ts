import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { phaseBucket } from './bucketing.ts'

describe('the place of a device in a phased release', () => {
  it('is the first four bytes of the digest modulo ten thousand', () => {
    for (const [salt, device] of [
      ['736430079244000001', 'device-1'],
      ['a', 'b'],
      ['é😀', 'ü'.repeat(200)],
      ['long', 'x'.repeat(2_000)],
    ] as const) {
      const digest = createHash('sha256').update(`${salt}:${device}`).digest()
      expect(phaseBucket(salt, device)).toBe(digest.readUInt32BE(0) % 10_000)
    }
    expect([phaseBucket('736430079244000001', 'device-1'), phaseBucket('a', 'b')]).toEqual([2953, 222])
  })
})
