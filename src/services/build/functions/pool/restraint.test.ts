import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fault } from '../engine/port.ts'
import { crashLoopAfter } from '../rules.ts'
import { Restraint } from './restraint.ts'

const fault: Fault = { kind: 'initialiserFailed', name: 'Error', message: 'no key', stack: '' }

describe('the starts of copies', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }))
  afterEach(() => void vi.useRealTimers())

  let rests = 0
  const restrained = () => {
    rests = 0
    return new Restraint(Date.now, () => rests++)
  }
  const times = (count: number, act: (number: number) => void) => {
    for (let number = 1; number <= count; number++) act(number)
  }

  it('are ten a second, and those that were not taken are not saved up', () => {
    const one = restrained()
    times(4, () => one.starting())
    expect(one.room).toBe(6)
    times(2, () => one.second())
    expect(one.room).toBe(10)
  })

  it('wait twice as long after each that failed, and not at all after one that did not', () => {
    const one = restrained()
    for (const waitMs of [1000, 2000, 4000]) {
      one.failed(fault)
      vi.advanceTimersByTime(waitMs - 1)
      expect([one.isDue, one.fault]).toEqual([false, fault])
      vi.advanceTimersByTime(1)
      expect(one.isDue).toBe(true)
    }
    one.started()
    one.failed(fault)
    vi.advanceTimersByTime(1000)
    expect(one.isDue).toBe(true)
  })

  it('are a loop of crashes after five failures in a row, between two tries', () => {
    const one = restrained()
    times(crashLoopAfter - 1, () => one.failed(fault))
    expect(one.isLooping).toBe(false)
    one.failed(fault)
    expect(one.isLooping).toBe(true)
    vi.advanceTimersByTime(60_000)
    expect(one.isLooping).toBe(false)
    one.started()
    expect([one.isLooping, one.fault]).toEqual([false, null])
  })

  it('rest after five copies that died in a row, twice as long after the next', () => {
    const one = restrained()
    times(crashLoopAfter - 1, number => one.died(number, number))
    expect(one.room).toBe(10)
    for (const [number, restMs] of [250, 500, 1000].entries()) {
      const order = crashLoopAfter + number
      one.died(order, order)
      expect(one.room).toBe(0)
      vi.advanceTimersByTime(restMs - 1)
      expect([one.room, rests]).toEqual([0, number])
      vi.advanceTimersByTime(1)
      expect([one.room, rests]).toEqual([10, number + 1])
    }
  })

  it('do not rest for copies that died of one cause, nor where one answered in between', () => {
    const together = restrained()
    times(20, number => together.died(number, 20))
    expect(together.room).toBe(10)
    const answering = restrained()
    times(20, number => {
      answering.died(number, number)
      answering.answered()
    })
    expect(answering.room).toBe(10)
  })

  it('wake nobody once they are over', () => {
    const one = restrained()
    times(crashLoopAfter, number => one.died(number, number))
    one.close()
    vi.advanceTimersByTime(60_000)
    expect(rests).toBe(0)
  })
})
