import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openEngine } from './engine.testkit.ts'
import { ProcessEngine } from './processes.ts'
import { greedyNice, ProcessorTurn, takeTurn, usualNice } from './processor-turn.ts'

const hasSessions = existsSync('/proc/self/autogroup')
const hasIdleGroups = process.getuid?.() === 0 && existsSync('/sys/fs/cgroup/cpu/cpu.idle')

describe('the turn of a process', () => {
  const begun: ChildProcess[] = []
  afterAll(() => {
    for (const child of begun) child.kill('SIGKILL')
  })
  /** One in a session of its own, as a sandbox is. */
  const begin = (): number => {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    begun.push(child)
    return child.pid ?? 0
  }
  const turnOf = (pid: number) => ({
    process: os.getPriority(pid),
    session: hasSessions ? Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1]) : undefined,
  })
  const turn = (nice: number) => ({ process: nice, session: hasSessions ? nice : undefined })

  it('is behind the server, with its whole session', () => {
    const pid = begin()
    new ProcessorTurn(pid)
    expect(turnOf(pid)).toEqual(turn(usualNice))
    takeTurn(pid, greedyNice)
    expect(turnOf(pid)).toEqual(turn(greedyNice))
  })

  it('stays as it is while it wants little', async () => {
    const pid = begin()
    const its = new ProcessorTurn(pid)
    await sleep(50)
    its.look(false)
    expect(turnOf(pid)).toEqual(turn(usualNice))
  })

  it.runIf(hasIdleGroups)(
    'has a processor only while nobody else wants one, as long as it computes and answers nobody',
    async () => {
      const child = spawn('sh', ['-c', 'while :; do :; done'], { detached: true, stdio: 'ignore' })
      begun.push(child)
      const pid = child.pid ?? 0
      const its = new ProcessorTurn(pid)
      const look = async (hasAnswered: boolean) => {
        await sleep(200)
        its.look(hasAnswered)
      }
      const isIdle = () =>
        /^\d+:(?:\w+,)*cpu(?:,\w+)*:.*\/loggia-greedy$/m.test(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))
      await look(true)
      expect([turnOf(pid), isIdle()]).toEqual([turn(greedyNice), false])
      await look(false)
      await vi.waitFor(() => expect(isIdle()).toBe(true))
      await look(true)
      await vi.waitFor(() => expect(isIdle()).toBe(false))
    },
  )

  it('is nobody’s once the process is gone', () => expect(takeTurn(2 ** 22 + 1, usualNice)).toBe(false))
})

/** Processes for functions that stand behind others with their session, and not by themselves. */
function sessionsBehind(): number {
  const pids = readdirSync('/proc').filter(name => /^[1-9]\d*$/.test(name))
  return pids.filter(pid => {
    try {
      const isFunction = readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/node\0--permission')
      const session = readFileSync(`/proc/${pid}/autogroup`, 'utf8')
      return isFunction && session.endsWith(`nice ${greedyNice}\n`) && os.getPriority(Number(pid)) === usualNice
    } catch {
      return false
    }
  }).length
}

const engine = new ProcessEngine(true)
const start = (await engine.capabilities()).find(one => one.name === 'start')

describe.skipIf(!start?.isThere)('a function that keeps a processor busy', () => {
  const { start, answerOf } = openEngine(engine)

  it('gives way meanwhile, and comes forward again where root may take it', async () => {
    const instance = await start({
      'index.js': `const os = require('os')
        exports.handler = async ({ ms, rest }) => {
          for (const till = performance.now() + ms; performance.now() < till; );
          const nice = os.getPriority()
          await new Promise(resolve => setTimeout(resolve, rest))
          return [nice, os.getPriority()]
        }`,
    })
    expect(await answerOf(instance, { ms: 0, rest: 0 })).toEqual([usualNice, usualNice])
    const later = process.getuid?.() === 0 ? usualNice : greedyNice
    expect(await answerOf(instance, { ms: 1_500, rest: 1_500 })).toEqual([greedyNice, later])
  })

  it.runIf(hasSessions && process.getuid?.() === 0)(
    'is followed by a process that stands ready behind all others',
    async () => {
      await vi.waitFor(() => expect(sessionsBehind()).toBeGreaterThan(0), { timeout: 5_000 })
    },
  )
})

describe.runIf(hasSessions)('a function without walls that keeps a processor busy', () => {
  const { start, answerOf } = openEngine(new ProcessEngine(true, async () => false))

  it('takes the session of the server no further back', async () => {
    const before = readFileSync('/proc/self/autogroup', 'utf8')
    const code = `exports.handler = ({ ms }) => {
      for (const till = performance.now() + ms; performance.now() < till; );
      return require('os').getPriority()
    }`
    expect(await answerOf(await start({ 'index.js': code }), { ms: 1_000 })).toBe(greedyNice)
    expect(readFileSync('/proc/self/autogroup', 'utf8')).toBe(before)
  })
})
