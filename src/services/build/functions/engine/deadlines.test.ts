import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deadlines } from './deadlines.ts'

describe('the deadlines of calls', () => {
  const late: string[] = []
  let deadlines: Deadlines

  beforeEach(() => {
    vi.useFakeTimers()
    late.length = 0
    deadlines = new Deadlines(id => late.push(id))
  })
  afterEach(() => vi.useRealTimers())

  it('come each in its time, whatever the order in which the calls began', () => {
    deadlines.begin('long', 300)
    deadlines.begin('short', 100)
    deadlines.begin('middle', 200)
    vi.advanceTimersByTime(99)
    expect(late).toEqual([])
    vi.advanceTimersByTime(1)
    expect(late).toEqual(['short'])
    vi.advanceTimersByTime(200)
    expect(late).toEqual(['short', 'middle', 'long'])
  })

  it('are nothing to a call that is over, and come to those that began after it', () => {
    deadlines.begin('over', 100)
    vi.advanceTimersByTime(50)
    deadlines.begin('next', 100)
    deadlines.end('over')
    vi.advanceTimersByTime(99)
    expect(late).toEqual([])
    vi.advanceTimersByTime(1)
    expect(late).toEqual(['next'])
  })

  it('begin again after all of them are over', () => {
    deadlines.begin('first', 100)
    deadlines.end('first')
    vi.advanceTimersByTime(1_000)
    deadlines.begin('second', 100)
    vi.advanceTimersByTime(100)
    expect(late).toEqual(['second'])
  })

  it('come to nobody any more once they are closed', () => {
    deadlines.begin('one', 100)
    deadlines.close()
    vi.advanceTimersByTime(1_000)
    expect(late).toEqual([])
  })
})
