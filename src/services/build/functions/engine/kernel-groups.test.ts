import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { groups, makeGroup, removeGroup, withinGroups } from './kernel-groups.ts'

const parent = [path.join(groups, 'memory'), groups].find(folder => existsSync(path.join(folder, 'cgroup.procs'))) ?? ''

function mayMakeGroups(): boolean {
  try {
    accessSync(parent, constants.W_OK)
    return parent !== ''
  } catch {
    return false
  }
}

describe.runIf(mayMakeGroups())('a group of the kernel', () => {
  const prefix = `loggia-test-${randomUUID()}-`

  it('is removed when the last that was in it is gone', async () => {
    const folder = await makeGroup(parent, prefix, 'leaving')
    const members = path.join(folder, 'cgroup.procs')
    const { command, args } = withinGroups([{ members }], ['sleep', '60'])
    const child = spawn(command, args, { stdio: 'ignore' })
    await vi.waitFor(() => expect(readFileSync(members, 'utf8')).toBe(`${child.pid}\n`))
    const removed = removeGroup(folder)
    await sleep(15)
    expect(existsSync(folder)).toBe(true)
    child.kill('SIGKILL')
    await removed
    expect(existsSync(folder)).toBe(false)
  })

  it('that a killed server left is removed with the first of the next one', async () => {
    const { pid } = spawnSync('true')
    const left = path.join(parent, `${prefix}other-${pid}-left`)
    mkdirSync(left)
    await removeGroup(await makeGroup(parent, `${prefix}other-`, 'first'))
    expect(existsSync(left)).toBe(false)
  })
})
