import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { withinGroups } from './kernel-groups.ts'
import { boundMemory, type MemoryBound } from './memory-bound.ts'

const bound = await boundMemory('measured', 96)
afterAll(() => bound?.remove())

/** How it ended: 137 where the kernel ended it. */
function run(script: string, within = bound): string {
  const { command, args } = withinGroups([within], [process.execPath, '-e', script])
  const { status, signal } = spawnSync(command, args, { stdio: 'ignore' })
  return signal ?? String(status)
}

if (bound) {
  it('what takes no more than it may ends as it likes', () => {
    expect(run('process.exit(Buffer.alloc(1e7, 1).length === 1e7 ? 7 : 1)')).toBe('7')
    expect(bound.hasKilled()).toBe(false)
  })

  it('what takes more is ended by the kernel, which is told apart from whoever else may end it', () => {
    expect(run(`process.kill(process.pid, 'SIGKILL')`)).toBe('SIGKILL')
    expect(bound.hasKilled()).toBe(false)
    expect(run('const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))')).toBe('SIGKILL')
    expect(bound.hasKilled()).toBe(true)
  })

  it('is raised for whoever needs more, and never lowered', async () => {
    const other = (await boundMemory('raised', 80)) as MemoryBound
    const held = 'const all = Buffer.alloc(1e8, 1); process.exit(all.length === 1e8 ? 7 : 1)'
    expect(run(held, other)).toBe('SIGKILL')
    other.raiseTo(300)
    other.raiseTo(90)
    expect(run(held, other)).toBe('7')
    await other.remove()
    other.raiseTo(400)
    expect(existsSync(path.dirname(other.members))).toBe(false)
  })

  it('is gone when it was removed', async () => {
    await bound.remove()
    expect(existsSync(path.dirname(bound.members))).toBe(false)
    expect(bound.hasKilled()).toBe(false)
  })
} else it.skip('(skipped: this user may set no control groups)')
