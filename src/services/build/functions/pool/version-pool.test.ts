import { afterEach, expect, it } from 'vitest'
import type { CallOrder, EndReason, Instance, Outcome } from '../engine/port.ts'
import { sizingOf } from '../scaling/rules.ts'
import { VersionPool } from './version-pool.ts'

const pools: VersionPool[] = []
afterEach(() => Promise.all(pools.splice(0).map(pool => pool.close(0))))

/** A pool of copies that do with a call what the call says; `startedAt` has when each was started. */
function open() {
  const startedAt: number[] = []
  const start = async (): Promise<Instance> => {
    startedAt.push(performance.now())
    const spent = { memPeakMb: 1, cpuMs: 1 }
    let end: (reason: EndReason) => void = () => undefined
    const ended = new Promise<EndReason>(resolve => {
      end = resolve
    })
    const call = async ({ event }: CallOrder): Promise<Outcome> => {
      if (event === 'answer') return { kind: 'answered', result: { kind: 'json', text: '1' }, ...spent }
      end(event as EndReason)
      return { kind: 'ended', reason: event as EndReason, error: null, wasSent: true, ...spent }
    }
    const usage = () => ({ memMb: 1, ...spent })
    return { id: String(startedAt.length), bootMs: 1, initMs: 1, call, usage, ended, stop: async () => end('stopped') }
  }
  const pool = new VersionPool({ start, concurrency: 1, sizing: () => sizingOf([], [], []), now: () => Date.now() })
  pools.push(pool)
  const call = (event: string) => pool.call({ id: event, event, caller: null, timeoutMs: 1000 })
  return { startedAt, call }
}

it('begins a new copy at once when one died, until five died in a row: then whoever calls waits', async () => {
  const { startedAt, call } = open()
  for (let n = 0; n < 5; n++) await call('outOfMemory')
  const from = performance.now()
  // Whatever it does, it is not refused for what the calls before it did.
  const { outcome } = await call('answer')
  expect(outcome.kind).toBe('answered')
  expect(performance.now() - from).toBeGreaterThan(240)
  expect(startedAt).toHaveLength(6)
})

it('counts deaths anew after an answer, and not those of copies that it stopped itself', async () => {
  const { call } = open()
  for (const reason of ['uncaught', 'killed', 'timeout', 'protocol', 'answer', 'outOfMemory', 'stopped'])
    await call(reason)
  const from = performance.now()
  await call('answer')
  expect(performance.now() - from).toBeLessThan(200)
})
