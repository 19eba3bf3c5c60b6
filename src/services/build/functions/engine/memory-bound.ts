import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { groups, memoryPrefix } from './kernel-groups.ts'
import { isAlive } from './sandbox.ts'

/** A limit of the kernel for one process and what it begins. */
export interface MemoryBound {
  /** Whoever is written into it is held. */
  members: string
  /** Lets it have more; never less than it has. */
  raiseTo(megabytes: number): void
  /** Whether the kernel ended a process because of it. */
  hasKilled(): boolean
  remove(): Promise<void>
}

/** A command that runs within the bound from its first moment on, where there is one. */
export function withinBound(bound: MemoryBound | null, command: readonly string[]) {
  const enter = bound ? `echo $$ > ${bound.members}; ` : ''
  return { command: 'sh', args: ['-c', `${enter}exec "$@"`, 'sh', ...command] }
}

/** A bound where this user may set one, by either generation of control groups; null elsewhere. */
export async function boundMemory(name: string, megabytes: number): Promise<MemoryBound | null> {
  const isUnified = await readFile(`${groups}/cgroup.controllers`, 'utf8').then(
    text => text.split(/\s/).includes('memory'),
    () => false,
  )
  const parent = isUnified ? groups : path.join(groups, 'memory')
  const folder = path.join(parent, `${memoryPrefix}${process.pid}-${name}`)
  const limit = isUnified ? 'memory.max' : 'memory.limit_in_bytes'
  const counts = isUnified ? 'memory.events' : 'memory.oom_control'
  let held = megabytes
  try {
    cleaned ??= removeLeftBehind(parent)
    await cleaned
    await mkdir(folder)
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
    await removeGroup(folder)
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

let cleaned: Promise<void> | undefined

/** Of servers that were killed. */
async function removeLeftBehind(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(memoryPrefix) ? Number.parseInt(name.slice(memoryPrefix.length), 10) : process.pid
    if (!isAlive(pid)) await removeGroup(path.join(parent, name))
  }
}

const removeGroup = (folder: string) => rmdir(folder).catch(() => undefined)
