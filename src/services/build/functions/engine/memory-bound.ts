import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Group, groups, makeGroup, removeGroup } from './kernel-groups.ts'

const prefix = 'loggia-memory-'

/** A limit of the kernel for one process and what it begins. */
export interface MemoryBound extends Group {
  members: string
  /** Lets it have more; never less than it has. */
  raiseTo(megabytes: number): void
  /** Whether the kernel ended a process because of it. */
  hasKilled(): boolean
  remove(): Promise<void>
}

/** A bound where this user may set one, by either generation of control groups; null elsewhere. */
export async function boundMemory(name: string, megabytes: number): Promise<MemoryBound | null> {
  const isUnified = await readFile(`${groups}/cgroup.controllers`, 'utf8').then(
    text => text.split(/\s/).includes('memory'),
    () => false,
  )
  const parent = isUnified ? groups : path.join(groups, 'memory')
  const limit = isUnified ? 'memory.max' : 'memory.limit_in_bytes'
  const counts = isUnified ? 'memory.events' : 'memory.oom_control'
  let held = megabytes
  let folder = ''
  try {
    folder = await makeGroup(parent, prefix, name)
    await writeFile(path.join(folder, limit), bytesOf(megabytes))
    return {
      members: path.join(folder, 'cgroup.procs'),
      raiseTo: wanted => {
        if (wanted <= held) return
        held = wanted
        // Of a process that ended meanwhile nothing is there any more.
        if (existsSync(folder)) writeFileSync(path.join(folder, limit), bytesOf(wanted))
      },
      hasKilled: () => /^oom_kill [1-9]/m.test(readText(path.join(folder, counts))),
      remove: () => removeGroup(folder),
    }
  } catch {
    if (folder) await removeGroup(folder)
    return null
  }
}

const bytesOf = (megabytes: number) => String(Math.ceil(megabytes) * 1024 * 1024)

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
