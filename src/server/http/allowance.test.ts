import { describe, expect, it } from 'vitest'
import { Allowance } from './allowance.ts'

describe('an allowance of calls a minute', () => {
  it('lets as many through as it says, then tells how long to wait', () => {
    const allowance = new Allowance(3)
    expect([0, 1, 2].map(second => allowance.spend('a', second * 1000))).toEqual([0, 0, 0])
    expect(allowance.spend('a', 20_000)).toBe(40)
    expect(allowance.spend('a', 59_999)).toBe(1)
    expect(allowance.spend('a', 60_000)).toBe(0)
  })

  it('counts each caller alone', () => {
    const allowance = new Allowance(1)
    expect([allowance.spend('a', 0), allowance.spend('b', 0), allowance.spend('a', 1)]).toEqual([0, 0, 60])
  })

  it('begins anew when the clock was set back, instead of refusing until it has caught up', () => {
    const allowance = new Allowance(1)
    allowance.spend('a', 10_000_000)
    expect(allowance.spend('a', 0)).toBe(0)
  })

  it('forgets rather than fill the memory with callers that come once', () => {
    const allowance = new Allowance(1)
    allowance.spend('first', 0)
    expect(allowance.spend('first', 0)).toBe(60)
    for (let caller = 0; caller < 20_000; caller++) allowance.spend(String(caller), 0)
    expect(allowance.spend('first', 0)).toBe(0)
  })
})
