import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MemoryHold } from './memory-hold.ts'

const limitMb = 100
const slackMb = 50

/** A process that holds so much, with copies that leave so much behind when they collect; `null` never ends collecting. */
function holding(memMb: number, afterCopies: readonly (number | null)[] = []) {
  const process = { memMb, isKilled: false, collected: 0 }
  const copies = afterCopies.map(after => ({
    collect: () => {
      if (after === null) return new Promise<void>(() => undefined)
      process.memMb = after
      process.collected++
      return Promise.resolve()
    },
  }))
  const hold = new MemoryHold({
    memMb: () => process.memMb,
    limitMb: () => limitMb,
    slackMb,
    copies: () => copies,
    isOver: () => process.isKilled,
    kill: () => {
      process.isKilled = true
    },
  })
  return { process, hold }
}

describe('a process of isolates', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it.each<[string, number, { isKilled: boolean; collected: number }]>([
    ['that holds what it may is left alone', 100, { isKilled: false, collected: 0 }],
    ['that holds more has its copies collect', 101, { isKilled: false, collected: 2 }],
    ['that holds more by all of the slack has them collect, too', 150, { isKilled: false, collected: 2 }],
    ['that holds still more is ended at once', 151, { isKilled: true, collected: 0 }],
  ])('%s', async (_what, memMb, wanted) => {
    const { process, hold } = holding(memMb, [90, 80])
    hold.look()
    await vi.advanceTimersByTimeAsync(0)
    expect(process).toMatchObject(wanted)
  })

  it('that fits after its copies collected may grow again', async () => {
    const { process, hold } = holding(120, [90])
    hold.look()
    await vi.advanceTimersByTimeAsync(2_000)
    process.memMb = 120
    hold.look()
    await vi.advanceTimersByTimeAsync(0)
    expect(process).toMatchObject({ isKilled: false, collected: 2 })
  })

  it('that is no smaller for it has two seconds, and is ended then', async () => {
    const { process, hold } = holding(120, [120])
    hold.look()
    await vi.advanceTimersByTimeAsync(1_999)
    hold.look()
    expect(process).toMatchObject({ isKilled: false, collected: 1 })
    await vi.advanceTimersByTimeAsync(1)
    hold.look()
    expect(process).toMatchObject({ isKilled: true, collected: 1 })
  })

  it('that grows by all of the slack while a copy collects is ended, however many copies are to come', () => {
    const { process, hold } = holding(120, [null, 90])
    hold.look()
    expect(hold.isCollecting).toBe(true)
    hold.look()
    expect(process.isKilled).toBe(false)
    process.memMb = 151
    hold.look()
    expect(process).toMatchObject({ isKilled: true, collected: 0 })
  })
})
