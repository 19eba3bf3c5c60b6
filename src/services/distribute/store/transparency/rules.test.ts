import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  consistencyRanges,
  foldNodes,
  type Hash,
  hashLeaf,
  hashNode,
  inclusionRanges,
  isConsistent,
  nodesOf,
  type Range,
  rootOfInclusion,
  toHex,
} from './rules.ts'

const hash: Hash = bytes => createHash('sha256').update(bytes).digest()
const leaves = (count: number) => Array.from({ length: count }, (_, at) => hashLeaf(hash, Buffer.from(`leaf ${at}`)))

/** The tree's hash word for word as RFC 6962 2.1 defines it, to compare with. */
function definition(all: readonly Uint8Array[]): Uint8Array {
  if (all.length === 0) return hash(new Uint8Array())
  if (all.length === 1) return all[0] as Uint8Array
  let middle = 1
  while (middle * 2 < all.length) middle *= 2
  return hashNode(hash, definition(all.slice(0, middle)), definition(all.slice(middle)))
}
const ofRange = (all: readonly Uint8Array[], range: Range) =>
  foldNodes(
    hash,
    nodesOf(range).map(({ level, position }) =>
      definition(all.slice(position * 2 ** level, (position + 1) * 2 ** level)),
    ),
  )

describe('the tree of the log', () => {
  it('has the roots that certificate transparency publishes for its example leaves', () => {
    const example = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
    const hashes = example.map(hex => hashLeaf(hash, Buffer.from(hex, 'hex')))
    const roots = [
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]
    expect(roots.map((_, size) => toHex(ofRange(hashes, [0, size])))).toEqual(roots)
  })

  it('proves every leaf of every size, and no other', () => {
    for (let size = 1; size <= 33; size++) {
      const all = leaves(size)
      const root = toHex(definition(all))
      for (let position = 0; position < size; position++) {
        const proof = inclusionRanges(position, size).map(range => ofRange(all, range))
        const found = (leaf: number) => rootOfInclusion(hash, all[leaf] as Uint8Array, { position, size }, proof)
        expect(toHex(found(position) as Uint8Array)).toBe(root)
        if (size > 1) expect(toHex(found((position + 1) % size) as Uint8Array)).not.toBe(root)
      }
      expect(rootOfInclusion(hash, all[0] as Uint8Array, { position: size, size }, [])).toBeNull()
    }
  })

  it('proves that each size begins as the ones before', () => {
    for (let second = 0; second <= 33; second++) {
      const all = leaves(second)
      for (let first = 0; first <= second; first++) {
        const proof = consistencyRanges(first, second).map(range => ofRange(all, range))
        const older = { size: first, root: definition(all.slice(0, first)) }
        const newer = { size: second, root: definition(all) }
        expect([first, second, isConsistent(hash, older, newer, proof)]).toEqual([first, second, true])
      }
    }
  })

  it('proves nothing once a leaf, a root or the proof was changed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), fc.nat(), (one, more, pick) => {
        const before = leaves(one)
        const changed = leaves(one + more)
        changed[pick % one] = hash(Buffer.from('another binary'))
        const proof = consistencyRanges(one, one + more).map(range => ofRange(changed, range))
        const older = { size: one, root: definition(before) }
        const newer = { size: one + more, root: definition(changed) }
        expect(isConsistent(hash, older, newer, proof)).toBe(false)
        expect(isConsistent(hash, older, newer, proof.slice(1))).toBe(false)
        expect(isConsistent(hash, newer, older, proof)).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})
