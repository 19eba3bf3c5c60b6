import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderKeyBetween } from './order-key.ts'

describe('a key of order', () => {
  it.each([
    [null, null, 'V'],
    ['V', null, 'l'],
    [null, 'V', 'G'],
    ['V', 'l', 'd'],
    ['V', 'W', 'VV'],
    ['VV', 'W', 'Vl'],
    [null, '1', '0V'],
    ['z', null, 'zV'],
    ['zz', null, 'zzV'],
    ['A', 'A1', 'A0V'],
  ])('between %j and %j is %j', (before, after, key) => expect(orderKeyBetween(before, after)).toBe(key))

  it.each([
    ['V', 'V'],
    ['l', 'V'],
  ])('is not between %j and %j', (before, after) =>
    expect(() => orderKeyBetween(before, after)).toThrow('does not come before'),
  )

  it('keeps any order that moves make', () => {
    const moves = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 200 })
    fc.assert(
      fc.property(moves, list => {
        const rows: { name: number; key: string }[] = []
        list.forEach(([where, from], name) => {
          const moved = rows.length > 0 && from % 2 === 1 ? rows.splice(from % rows.length, 1)[0]!.name : name
          const place = where % (rows.length + 1)
          const key = orderKeyBetween(rows[place - 1]?.key ?? null, rows[place]?.key ?? null)
          rows.splice(place, 0, { name: moved, key })
        })
        const sorted = rows.toSorted((one, other) => (one.key < other.key ? -1 : 1))
        return sorted.every((row, at) => row === rows[at])
      }),
    )
  })

  it('stays short when rows are always added to the end', () => {
    let key: string | null = null
    for (let at = 0; at < 50; at++) key = orderKeyBetween(key, null)
    expect(key!.length).toBeLessThan(12)
  })
})
