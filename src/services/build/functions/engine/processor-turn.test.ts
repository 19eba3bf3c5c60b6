import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openEngine } from './engine.testkit.ts'
import { withinGroups } from './kernel-groups.ts'
import { ProcessEngine } from './processes.ts'
import { type ProcessorShare, shareProcessors } from './processor-share.ts'
import { greedyNice, ProcessorTurn, takeTurn, usualNice } from './processor-turn.ts'

const hasSessions = existsSync('/proc/self/autogroup')
const hasIdleGroups = process.getuid?.() === 0 && existsSync('/sys/fs/cgroup/cpu/cpu.idle')

describe('the turn of a process', () => {
  const begun: ChildProcess[] = []
  const shares: ProcessorShare[] = []
  afterEach(async () => {
    await Promise.all(begun.splice(0).map(ended))
    for (const share of shares.splice(0)) await share.remove()
  })
  const ended = (child: ChildProcess) => {
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    return gone
  }
  /** One in a session of its own, as a sandbox is. */
  const beginProgram = (command: string, args: string[]): number => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore' })
    begun.push(child)
    return child.pid ?? 0
  }
  const begin = () => beginProgram('sleep', ['60'])
  /** On one processor: for a moment the kernel may leave another one to what shall wait. */
  const beginLoop = async () => {
    const share = await shareProcessors(randomUUID(), null)
    if (share) shares.push(share)
    const loop = ['taskset', '-c', firstProcessor(), 'sh', '-c', 'while :; do :; done']
    const { command, args } = withinGroups([share], loop)
    return { pid: beginProgram(command, args), share }
  }
  /** Leaves next to nothing to a loop that is idle. */
  const takeProcessor = async () => {
    const { pid, share } = await beginLoop()
    new ProcessorTurn(pid, share)
  }
  const isIdle = ({ share }: { share: ProcessorShare | null }) =>
    readFileSync(path.join(path.dirname(share?.members ?? ''), 'cpu.idle'), 'utf8') === '1\n'
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
    new ProcessorTurn(pid, null)
    expect(turnOf(pid)).toEqual(turn(usualNice))
    takeTurn(pid, greedyNice)
    expect(turnOf(pid)).toEqual(turn(greedyNice))
  })

  it('stays as it is while it wants little', async () => {
    const pid = begin()
    const its = new ProcessorTurn(pid, null)
    await sleep(50)
    its.look(false)
    expect(turnOf(pid)).toEqual(turn(usualNice))
  })

  describe.runIf(hasIdleGroups)('among others', () => {
    it('has a processor only while nobody else wants one, as long as it computes and answers nobody', async () => {
      const loop = await beginLoop()
      const its = new ProcessorTurn(loop.pid, loop.share)
      await lookUntil(its, () => os.getPriority(loop.pid) === greedyNice, true)
      expect([turnOf(loop.pid), isIdle(loop)]).toEqual([turn(greedyNice), false])
      await lookAt(its)
      expect(isIdle(loop)).toBe(true)
      await lookAt(its, true)
      expect(isIdle(loop)).toBe(false)
    })

    it('stays behind them though it gets next to nothing, and is let out for a moment when it has starved', async () => {
      const loop = await beginLoop()
      const its = new ProcessorTurn(loop.pid, loop.share)
      await lookUntil(its, () => isIdle(loop))
      expect(isIdle(loop)).toBe(true)
      await takeProcessor()
      for (const _again of [1, 2, 3]) await lookAt(its)
      expect(isIdle(loop)).toBe(true)
      await lookUntil(its, () => !isIdle(loop))
      expect([turnOf(loop.pid), isIdle(loop)]).toEqual([turn(usualNice), false])
    })

    it('is not taken for one that computes while it waits for its first turn', async () => {
      await takeProcessor()
      const loop = await beginLoop()
      loop.share?.set(greedyNice, true)
      await sleep(50)
      const its = new ProcessorTurn(loop.pid, null)
      for (const _again of [1, 2, 3]) await lookAt(its)
      expect(turnOf(loop.pid)).toEqual(turn(usualNice))
    })

    it('begins behind all others where the one before died, until it answers', async () => {
      const { share } = await beginLoop()
      const pid = begin()
      const its = new ProcessorTurn(pid, share, true)
      expect([turnOf(pid), isIdle({ share })]).toEqual([turn(greedyNice), true])
      await lookAt(its)
      expect(isIdle({ share })).toBe(true)
      await lookAt(its, true)
      expect([turnOf(pid), isIdle({ share })]).toEqual([turn(usualNice), false])
    })
  })

  it('is nobody’s once the process is gone', () => expect(() => takeTurn(2 ** 22 + 1, usualNice)).not.toThrow())
})

/** Of those that this process may use, in the words of the kernel. */
function firstProcessor(): string {
  return /^Cpus_allowed_list:\t(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
}

/** Programs of functions that have a processor only while nobody else wants one. */
function idlePrograms(): number {
  const parent = '/sys/fs/cgroup/cpu'
  const shares = readdirSync(parent).filter(name => name.startsWith(`loggia-processor-${process.pid}-`))
  return shares.filter(name => readFileSync(path.join(parent, name, 'cpu.idle'), 'utf8') === '1\n').length
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

  it.runIf(hasIdleGroups)('is followed by processes that stand ready behind all others', async () => {
    await vi.waitFor(() => expect(idlePrograms()).toBeGreaterThan(0), { timeout: 5_000 })
  })

  it.runIf(hasIdleGroups)('is behind all others from its first moment on after one that died of it', async () => {
    const code = { 'index.js': `exports.handler = () => require('os').getPriority()` }
    expect(await answerOf(await start(code, { diedBefore: true }))).toBe(greedyNice)
    expect(await answerOf(await start(code))).toBe(usualNice)
  })
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
