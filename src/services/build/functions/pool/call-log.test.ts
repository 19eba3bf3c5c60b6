import { describe, expect, it } from 'vitest'
import type { Instance } from '../engine/port.ts'
import { CallLog, keptBetween, LinesBetween, type LogLine } from './call-log.ts'

const line = (text: string): LogLine => ({ at: 1, level: 'info', line: text })
const leftOut = { at: 1, level: 'warn', line: 'the lines after this one are left out' }

it.each([
  ['a thousand lines', 'x', 1000],
  ['a million characters', 'x'.repeat(10_000), 100],
])('a call keeps %s, and says that more were left out', (_what, text, kept) => {
  const log = new CallLog()
  for (let n = 0; n < kept; n++) log.add(line(text))
  expect(log.lines).toHaveLength(kept)
  expect(log.lines.at(-1)).toEqual(line(text))
  for (let n = 0; n < 5; n++) log.add(line(text))
  expect(log.lines).toHaveLength(kept + 1)
  expect(log.lines.at(-1)).toEqual(leftOut)
})

describe('what is written outside of calls', () => {
  const copy = () => ({}) as Instance

  it('is given to one call, with what came since', async () => {
    const between = new LinesBetween()
    const log = new CallLog(keptBetween)
    const instance = copy()
    log.add(line('begun'))
    await between.follow(Promise.resolve(instance), log)
    expect([between.take(instance), between.take(instance), between.take(copy())]).toEqual([[line('begun')], [], []])
    log.add(line('later'))
    const call = new CallLog()
    call.add(line('of the call'))
    call.begin(between.take(instance))
    expect(call.lines).toEqual([line('later'), line('of the call')])
  })

  it('has its own bounds, anew after each call', async () => {
    const between = new LinesBetween()
    const log = new CallLog(keptBetween)
    const instance = copy()
    await between.follow(Promise.resolve(instance), log)
    for (const _round of [1, 2]) {
      for (let n = 0; n < keptBetween.lines + 5; n++) log.add(line('x'))
      const taken = between.take(instance)
      expect([taken.length, taken.at(-1)]).toEqual([keptBetween.lines + 1, leftOut])
    }
  })

  it('of a copy that could not begin is for all who waited, until one begins', async () => {
    const between = new LinesBetween()
    const log = new CallLog(keptBetween)
    log.add(line('no key'))
    await expect(between.follow(Promise.reject(new Error('no')), log)).rejects.toThrow('no')
    expect([between.ofFailed(), between.ofFailed()]).toEqual([[line('no key')], [line('no key')]])
    await between.follow(Promise.resolve(copy()), new CallLog(keptBetween))
    expect(between.ofFailed()).toEqual([])
  })
})
