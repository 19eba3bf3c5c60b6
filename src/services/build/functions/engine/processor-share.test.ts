import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withinGroups } from './kernel-groups.ts'
import { boundMemory } from './memory-bound.ts'
import { shareProcessors } from './processor-share.ts'

const bound = await boundMemory('shared', 64)
const share = await shareProcessors('shared', bound)
afterAll(async () => {
  await share?.remove()
  await bound?.remove()
})

describe.runIf(share && bound)('a share of the processors', () => {
  const folder = path.dirname(share?.members ?? bound?.members ?? '')
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8').trim()
  const weight = () => (share?.members ? read('cpu.shares') : read('cpu.weight.nice'))

  it('belongs to a program from its first moment on, and to what that begins', () => {
    const { command, args } = withinGroups([bound, share], ['sh', '-c', 'sh -c "cat /proc/self/cgroup; true"'])
    expect(spawnSync(command, args).stdout.toString()).toContain(path.basename(folder))
  })

  it('is as large as the niceness says', () => {
    share?.set(5, false)
    const five = weight()
    share?.set(19, false)
    const nineteen = weight()
    share?.set(0, false)
    expect([five, nineteen, weight()]).toEqual(share?.members ? ['336', '15', '1024'] : ['5', '19', '0'])
  })

  it.runIf(existsSync(path.join(folder, 'cpu.idle')))('is none while anybody else wants one, until it is said', () => {
    share?.set(19, true)
    expect(read('cpu.idle')).toBe('1')
    share?.set(5, true)
    expect(read('cpu.idle')).toBe('1')
    share?.set(5, false)
    expect([read('cpu.idle'), weight()]).toEqual(['0', share?.members ? '336' : '5'])
  })

  it('is gone with its program, and nothing is said about it any more', async () => {
    await share?.remove()
    if (share?.members) expect(existsSync(folder)).toBe(false)
    share?.set(19, true)
  })
})
