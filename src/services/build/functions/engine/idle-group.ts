import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { groups, memoryPrefix } from './kernel-groups.ts'

const name = 'loggia-greedy'

/**
 * Where root may: takes a process into a group of the kernel that has a processor only while nobody else wants it, or out of
 * it again. Unlike the nicest of processes, one in it gives a processor back the moment another one wakes, and not some
 * milliseconds later. Elsewhere nothing happens. The kernel takes up to thirty milliseconds to move a process.
 */
export async function takeIntoIdle(pid: number, isIdle: boolean): Promise<void> {
  try {
    const lines = await readFile(`/proc/${pid}/cgroup`, 'utf8')
    const [, own] = /^\d+:(?:\w+,)*cpu(?:,\w+)*:(.*)$/m.exec(lines) ?? []
    if (own === undefined) await writeFile(await unifiedFile(lines), isIdle ? '1' : '0')
    else if (isIdle)
      await writeFile(path.join(await idleGroupIn(path.join(groups, 'cpu', own)), 'cgroup.procs'), String(pid))
    else if (path.basename(own) === name)
      await writeFile(path.join(groups, 'cpu', path.dirname(own), 'cgroup.procs'), String(pid))
  } catch {
    // Another kernel or user, or a process that is gone.
  }
}

/** The older groups have a hierarchy for processors alone: one group for all. */
async function idleGroupIn(parent: string): Promise<string> {
  if (path.basename(parent) === name) return parent
  const group = path.join(parent, name)
  await mkdir(group, { recursive: true })
  await writeFile(path.join(group, 'cpu.idle'), '1')
  return group
}

/** The newer ones have one hierarchy: that which holds the memory of a process is its own. Throws where it has none. */
async function unifiedFile(lines: string): Promise<string> {
  const [, own = ''] = /^0::(.*)$/m.exec(lines) ?? []
  if (!own.startsWith(`/${memoryPrefix}`)) throw new Error('the process has no group of its own')
  const file = path.join(groups, own, 'cpu.idle')
  await access(file)
  return file
}
