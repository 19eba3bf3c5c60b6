import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { takeIntoIdle } from './idle-group.ts'

const hasGroups = process.getuid?.() === 0 && existsSync('/sys/fs/cgroup/cpu/cpu.idle')

describe.runIf(hasGroups)('the group of those who give way', () => {
  const begun: ChildProcess[] = []
  afterAll(() => {
    for (const child of begun) child.kill('SIGKILL')
  })
  const groupOf = (pid: number) =>
    /^\d+:(?:\w+,)*cpu(?:,\w+)*:(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1]

  it('takes a process in, once and again, and gives it back to where it was', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' })
    begun.push(child)
    const pid = child.pid ?? 0
    const before = groupOf(pid)
    await takeIntoIdle(pid, false)
    expect(groupOf(pid)).toBe(before)
    for (let times = 0; times < 2; times++) await takeIntoIdle(pid, true)
    expect(groupOf(pid)).toMatch(/^\/(.*\/)?loggia-greedy$/)
    expect(readFileSync(`/sys/fs/cgroup/cpu${groupOf(pid)}/cpu.idle`, 'utf8')).toBe('1\n')
    await takeIntoIdle(pid, false)
    expect(groupOf(pid)).toBe(before)
  })

  it('does nothing for a process that is gone', () => expect(takeIntoIdle(2 ** 22 + 1, true)).resolves.toBeUndefined())
})
