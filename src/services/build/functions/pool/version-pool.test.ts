import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import type { CallOrder, EndReason, Instance, Outcome } from '../engine/port.ts'
import { sizingOf } from '../scaling/rules.ts'
import { VersionPool } from './version-pool.ts'

const pools: VersionPool[] = []
afterEach(() => Promise.all(pools.splice(0).map(pool => pool.close(0))))

/** A pool of copies that do with a call what the call says; `startedAt` has when each was started. */
function open({ startMs = 0 } = {}) {
  const startedAt: number[] = []
  const toldOfDeath: boolean[] = []
  const start = async (diedBefore: boolean): Promise<Instance> => {
    startedAt.push(performance.now())
    toldOfDeath.push(diedBefore)
    if (startMs > 0) await wait(startMs)
    const spent = { memPeakMb: 1, cpuMs: 1 }
    let end: (reason: EndReason) => void = () => undefined
    const ended = new Promise<EndReason>(resolve => {
      end = resolve
    })
    const call = async ({ event }: CallOrder): Promise<Outcome> => {
      const does: string | number = JSON.parse(event)
      if (typeof does === 'number') await wait(does)
      if (does === 'answer' || typeof does === 'number')
        return { kind: 'answered', result: { kind: 'json', text: '1' }, ...spent }
      end(does as EndReason)
      return { kind: 'ended', reason: does as EndReason, error: null, wasSent: true, ...spent }
    }
    const usage = () => ({ memMb: 1, ...spent })
    return { id: String(startedAt.length), bootMs: 1, initMs: 1, call, usage, ended, stop: async () => end('stopped') }
  }
  const pool = new VersionPool({ start, concurrency: 1, sizing: () => sizingOf([], [], []), now: () => Date.now() })
  pools.push(pool)
  /** Milliseconds that the call takes, or what becomes of it at once. */
  const call = async (does: string | number) => {
    const taken = await pool.take()
    const order = { id: String(does), event: JSON.stringify(does), caller: null, timeoutMs: 1000 }
    const outcome = await taken.held.instance.call(order)
    pool.giveBack(taken, outcome)
    return { outcome, phases: taken.phases }
  }
  return { startedAt, toldOfDeath, call }
}

it('begins a new copy at once when one died, until five died in a row: then whoever calls waits', async () => {
  const { startedAt, call } = open()
  for (let n = 0; n < 5; n++) {
    const died = call('outOfMemory')
    expect(startedAt).toHaveLength(n + 1)
    await died
  }
  const sixth = call('answer')
  expect(startedAt).toHaveLength(5)
  // Whatever it does, it is not refused for what the calls before it did.
  expect((await sixth).outcome.kind).toBe('answered')
  const [fifthAt = 0, sixthAt = 0] = startedAt.slice(4)
  expect(sixthAt - fifthAt).toBeGreaterThan(240)
})

it('counts deaths anew after an answer, and not those of copies that it stopped itself', async () => {
  const { startedAt, call } = open()
  for (const reason of ['uncaught', 'killed', 'timeout', 'protocol', 'answer', 'outOfMemory', 'stopped'])
    await call(reason)
  const before = startedAt.length
  const next = call('answer')
  expect(startedAt).toHaveLength(before + 1)
  await next
})

it('says of a copy that follows one that died, and of no other', async () => {
  const { toldOfDeath, call } = open()
  for (const what of ['timeout', 'outOfMemory', 'answer', 'stopped', 'answer']) await call(what)
  expect(toldOfDeath).toEqual([false, true, true, false])
})

it('counts copies that die together once: the process they shared was ended for what another one did', async () => {
  const { startedAt, call } = open()
  await Promise.all(Array.from({ length: 8 }, () => call('killed')))
  expect(startedAt).toHaveLength(8)
  const next = call('answer')
  expect(startedAt).toHaveLength(9)
  await next
})

it('starts no copy for calls that the ones there have answered before it could begin', async () => {
  const { startedAt, call } = open({ startMs: 200 })
  await call(1)
  await Promise.all(Array.from({ length: 20 }, () => call(1)))
  expect(startedAt).toHaveLength(1)
})

it('goes by the calls after the first one of a copy: that one warms the code up', async () => {
  const { startedAt, call } = open({ startMs: 200 })
  await call(190)
  await call(1)
  await Promise.all(Array.from({ length: 20 }, () => call(1)))
  expect(startedAt).toHaveLength(1)
})

it('starts copies at once for more calls than that, and where it is not known how long they take', async () => {
  const { startedAt, call } = open({ startMs: 100 })
  const first = [call(50), call(50), call(50)]
  expect(startedAt).toHaveLength(3)
  await Promise.all(first)
  const more = Array.from({ length: 12 }, () => call(50))
  expect(startedAt.length).toBeGreaterThan(3)
  await Promise.all(more)
})

it('starts copies a little later where calls turn out to be slower than those before', async () => {
  const { startedAt, call } = open({ startMs: 100 })
  await call(1)
  const from = performance.now()
  const calls = [call(900), call(1)]
  expect(startedAt).toHaveLength(1)
  const { outcome, phases } = (await calls[1]) as Awaited<(typeof calls)[1]>
  expect([outcome.kind, phases.isCold, startedAt.length]).toEqual(['answered', true, 2])
  expect((startedAt[1] ?? 0) - from).toBeGreaterThan(90)
  await calls[0]
})
