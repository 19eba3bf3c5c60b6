import { expect, it } from 'vitest'
import { IdMaker, lowestIdAt } from './ids.ts'

const at = Date.UTC(2026, 5, 1)

it('makes ids that grow: many in one millisecond, and when the clock steps back', () => {
  let now = at
  const maker = new IdMaker({ now: () => now }, 1023)
  const ids = Array.from({ length: 10_000 }, () => BigInt(maker.next()))
  now -= 60_000
  ids.push(BigInt(maker.next()))
  expect(ids.every((id, n) => n === 0 || id > (ids[n - 1] as bigint))).toBe(true)
})

it('says from which id on they were made at a time or later, by any maker', () => {
  for (const node of [0, 1023]) {
    let now = at - 1
    const maker = new IdMaker({ now: () => now }, node)
    const before = maker.next()
    now = at
    const first = maker.next()
    expect(BigInt(before) < BigInt(lowestIdAt(at))).toBe(true)
    expect(BigInt(first) >= BigInt(lowestIdAt(at))).toBe(true)
  }
})

it('has an id for times before there were any', () => {
  expect(lowestIdAt(0)).toBe('0')
})
