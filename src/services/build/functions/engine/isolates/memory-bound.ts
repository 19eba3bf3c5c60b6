import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

const groups = '/sys/fs/cgroup'
const prefix = 'loggia-isolates-'

/** A limit of the kernel for one process and what it begins. */
export interface MemoryBound {
  /** Whoever is written into it is held. */
  members: string
  remove(): Promise<void>
}

/** A bound where this user may set one, by either generation of control groups; null elsewhere. */
export async function boundMemory(name: string, megabytes: number): Promise<MemoryBound | null> {
  const isUnified = await readFile(`${groups}/cgroup.controllers`, 'utf8').then(
    text => text.split(/\s/).includes('memory'),
    () => false,
  )
  const parent = isUnified ? groups : path.join(groups, 'memory')
  const folder = path.join(parent, `${prefix}${process.pid}-${name}`)
  const limit = isUnified ? 'memory.max' : 'memory.limit_in_bytes'
  try {
    await removeLeftBehind(parent)
    await mkdir(folder)
    await writeFile(path.join(folder, limit), String(megabytes * 1024 * 1024))
    return { members: path.join(folder, 'cgroup.procs'), remove: () => removeGroup(folder) }
  } catch {
    await removeGroup(folder)
    return null
  }
}

/** Of servers that were killed: groups without a process can be removed, and no others. */
async function removeLeftBehind(parent: string): Promise<void> {
  const left = (await readdir(parent)).filter(name => {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : process.pid
    return pid !== process.pid
  })
  for (const name of left) await removeGroup(path.join(parent, name))
}

const removeGroup = (folder: string) => rmdir(folder).catch(() => undefined)
