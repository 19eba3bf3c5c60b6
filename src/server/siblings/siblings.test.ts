import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { joinedSiblings } from './joined.testkit.ts'
import { KeptProcess } from './kept.ts'
import { partOf, Siblings } from './siblings.ts'

const program = fileURLToPath(new URL('sibling.testkit.ts', import.meta.url))
const open: KeptProcess[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()))
})

/** The first of three processes; the others run. */
async function three(env: NodeJS.ProcessEnv = {}) {
  const siblings = new Siblings({ at: 0, of: 3 })
  siblings.answer('pid', () => process.pid)
  const options = { siblings, log: createLog('silent'), program, env: { ...process.env, ...env }, pauseMs: 20 }
  const kept = [new KeptProcess(options), new KeptProcess(options)] as const
  open.push(...kept)
  await Promise.all(kept.map(one => one.start()))
  return { siblings, kept, pids: () => kept.map(one => one.pid ?? 0) }
}

const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 20))
}

describe('a process that shares its port with others', () => {
  it('is answered by each of them', async () => {
    const { siblings, pids } = await three()
    expect(sorted(await siblings.ask('pid', null))).toEqual(sorted(pids()))
  })

  it('is answered by the others of its parent, too, and not by itself', async () => {
    const { siblings, pids } = await three()
    const [first = [], second = []] = await siblings.ask<number[]>('pids of the others', null)
    expect(sorted([...first, ...second])).toEqual(sorted([process.pid, process.pid, ...pids()]))
    for (const heard of [first, second]) expect(new Set(heard).size).toBe(2)
  })

  it('goes without the answer of one that gives none', async () => {
    const { siblings } = await three()
    const [unknown, faulty, silent] = await Promise.all(
      ['unheard of', 'a fault', 'nothing'].map(topic => siblings.ask(topic, null)),
    )
    expect([unknown, faulty, silent]).toEqual([[], [], []])
  })

  it('goes without the answer of one that ends while it is asked', async () => {
    const { siblings, pids } = await three()
    const asked = siblings.ask('nothing', null)
    for (const pid of pids()) process.kill(pid, 'SIGKILL')
    expect(await asked).toEqual([])
  })

  it('is answered by the first one alone where it asks that one', async () => {
    const { siblings } = await three()
    expect(await siblings.ask('pid of the first', null)).toEqual([process.pid, process.pid])
    const [, second] = joinedSiblings(3)
    expect(await second?.askFirst('unheard of', null, 200)).toBeUndefined()
  })

  it('has all others hear what it tells, and does not hear it itself', async () => {
    const all = joinedSiblings(3)
    const heard: string[] = []
    for (const one of all) one.answer('news', said => heard.push(`${one.place.at} of ${said}`))
    all[1]?.tell('news', 1)
    all[0]?.tell('news', 0)
    await until(() => heard.length >= 4)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(heard.sort()).toEqual(['0 of 1', '1 of 0', '2 of 0', '2 of 1'])
  })

  it('alone asks nobody', async () => {
    expect(await new Siblings().ask('pid', null)).toEqual([])
  })

  it('answers a topic once', () => {
    const siblings = new Siblings()
    siblings.answer('pid', () => 1)
    expect(() => siblings.answer('pid', () => 2)).toThrow('pid is answered already')
  })
})

describe('a kept process', () => {
  it('that is killed is started again, and answers', async () => {
    const { siblings, pids } = await three()
    const [killed = 0] = pids()
    process.kill(killed, 'SIGKILL')
    await until(async () => {
      const answered = await siblings.ask<number>('pid', null)
      return answered.length === 2 && !answered.includes(killed)
    })
    expect(isThere(killed)).toBe(false)
  })

  it('that cannot start holds nobody up, and is tried again until it is closed', async () => {
    const { kept } = await three({ NEVER_SERVES: '1' })
    const [one] = kept
    const before = one.pid
    await until(() => one.pid !== before)
    await one.close()
    const last = one.pid
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(one.pid).toBe(last)
  })

  it('that the system refuses to start holds nobody up either', async () => {
    const { siblings, kept } = await three({ TOO_LONG: 'x'.repeat(3_000_000) })
    expect(kept.map(one => one.pid)).toEqual([undefined, undefined])
    expect(await siblings.ask('pid', null)).toEqual([])
  })

  it('is gone when it is closed', async () => {
    const { kept, pids } = await three()
    const there = pids()
    expect(there.map(isThere)).toEqual([true, true])
    await Promise.all(kept.map(one => one.close()))
    expect(there.map(isThere)).toEqual([false, false])
  })
})

describe('parts of a number', () => {
  it.each([
    [10, 1, [10]],
    [10, 2, [5, 5]],
    [1, 2, [1, 0]],
    [7, 3, [3, 2, 2]],
    [0, 3, [0, 0, 0]],
  ])('%i over %i processes are %j', (whole, of, parts) => {
    expect(Array.from({ length: of }, (_, at) => partOf(whole, { at, of }))).toEqual(parts)
  })
})
