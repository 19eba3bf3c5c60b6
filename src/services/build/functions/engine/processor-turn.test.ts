import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openEngine } from './engine.testkit.ts'
import { takeIntoIdle } from './idle-group.ts'
import { ProcessEngine } from './processes.ts'
import { greedyNice, ProcessorTurn, takeTurn, usualNice } from './processor-turn.ts'

const hasSessions = existsSync('/proc/self/autogroup')
const hasIdleGroups = process.getuid?.() === 0 && existsSync('/sys/fs/cgroup/cpu/cpu.idle')

describe('the turn of a process', () => {
  const begun: ChildProcess[] = []
  afterEach(() => {
    for (const child of begun.splice(0)) child.kill('SIGKILL')
  })
  /** One in a session of its own, as a sandbox is. */
  const beginProgram = (program: string, ...args: string[]): number => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore' })
    begun.push(child)
    return child.pid ?? 0
  }
  const begin = () => beginProgram('sleep', '60')
  /** On one processor, which the kernel may not leave to any of them by moving another. */
  const beginLoop = () => beginProgram('taskset', '-c', firstProcessor(), 'sh', '-c', 'while :; do :; done')
  /** Leaves next to nothing to a loop that is in the idle group. */
  const takeProcessor = () => takeTurn(beginLoop(), usualNice)
  const isIdle = (pid: number) =>
    /^\d+:(?:\w+,)*cpu(?:,\w+)*:.*\/loggia-greedy$/m.test(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))
  const lookAt = async (its: ProcessorTurn, hasAnswered = false) => {
    await sleep(200)
    its.look(hasAnswered)
  }
  /** Beside other tests a loop may take some looks to have had what makes it one. */
  const lookUntil = async (its: ProcessorTurn, isSo: () => boolean, hasAnswered = false) => {
    for (let looks = 1; looks <= 30 && !isSo(); looks++) await lookAt(its, hasAnswered)
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

  describe.runIf(hasIdleGroups)('among others', () => {
    it('has a processor only while nobody else wants one, as long as it computes and answers nobody', async () => {
      const pid = beginLoop()
      const its = new ProcessorTurn(pid)
      await lookUntil(its, () => os.getPriority(pid) === greedyNice, true)
      expect([turnOf(pid), isIdle(pid)]).toEqual([turn(greedyNice), false])
      await lookAt(its)
      await vi.waitFor(() => expect(isIdle(pid)).toBe(true))
      await lookAt(its, true)
      await vi.waitFor(() => expect(isIdle(pid)).toBe(false))
    })

    it('stays behind them though it gets next to nothing, and is let out for a moment when it has starved', async () => {
      const pid = beginLoop()
      const its = new ProcessorTurn(pid)
      await lookUntil(its, () => isIdle(pid))
      expect(isIdle(pid)).toBe(true)
      takeProcessor()
      for (const _again of [1, 2, 3]) await lookAt(its)
      await sleep(50)
      expect(isIdle(pid)).toBe(true)
      await lookUntil(its, () => os.getPriority(pid) !== greedyNice)
      expect(turnOf(pid)).toEqual(turn(usualNice))
      await vi.waitFor(() => expect(isIdle(pid)).toBe(false))
    })

    it('is not taken for one that computes while it waits for its first turn', async () => {
      takeProcessor()
      const pid = beginLoop()
      await takeIntoIdle(pid, true)
      const its = new ProcessorTurn(pid)
      for (const _again of [1, 2, 3]) await lookAt(its)
      expect(turnOf(pid)).toEqual(turn(usualNice))
    })
  })

  it('is nobody’s once the process is gone', () => expect(takeTurn(2 ** 22 + 1, usualNice)).toBe(false))
})

/** Of those that this process may use, in the words of the kernel. */
function firstProcessor(): string {
  return /^Cpus_allowed_list:\t(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
}

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
