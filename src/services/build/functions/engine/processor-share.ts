import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Group, groups, makeGroup, removeGroup } from './kernel-groups.ts'
import type { MemoryBound } from './memory-bound.ts'

/**
 * What one process and all that it begins have of the processors, among all that want one: a group of the kernel. It takes
 * effect at once.
 */
export interface ProcessorShare extends Group {
  /**
   * @param nice how far behind others, as niceness
   * @param isIdle whether it has a processor only while nobody else wants one. Unlike the nicest of processes it then gives
   *   it back the moment another one wakes, and not some milliseconds later
   */
  set(nice: number, isIdle: boolean): void
  remove(): Promise<void>
}

const prefix = 'loggia-processor-'

/** A share of its own where this user may give one, by either generation of control groups; null elsewhere. */
export async function shareProcessors(name: string, bound: MemoryBound | null): Promise<ProcessorShare | null> {
  const unified = bound && path.dirname(bound.members)
  if (unified && existsSync(path.join(unified, 'cpu.idle')))
    return { members: null, set: setter(unified, 'cpu.weight.nice', String), remove: async () => undefined }
  try {
    const folder = await makeGroup(ownGroup(), prefix, name)
    return {
      members: path.join(folder, 'cgroup.procs'),
      set: setter(folder, 'cpu.shares', sharesOf),
      remove: () => removeGroup(folder),
    }
  } catch {
    return null
  }
}

/** As much less for each step of niceness as the kernel gives to a process. */
const sharesOf = (nice: number) => String(Math.round(1024 / 1.25 ** nice))

/** That of this process; where its name means nothing here, as in a container, that of all. */
function ownGroup(): string {
  const [, own = ''] = /^\d+:(?:\w+,)*cpu(?:,\w+)*:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? []
  const folder = path.join(groups, 'cpu', own)
  return existsSync(folder) ? folder : path.join(groups, 'cpu')
}

/** One that is idle has no weight that could be set. */
function setter(folder: string, weights: string, weightOf: (nice: number) => string): ProcessorShare['set'] {
  let is = { nice: 0, isIdle: false }
  const put = (file: string, value: string) => writeFileSync(path.join(folder, file), value)
  return (nice, isIdle) => {
    if (nice === is.nice && isIdle === is.isIdle) return
    try {
      if (is.isIdle) put('cpu.idle', '0')
      put(weights, weightOf(nice))
      if (isIdle) put('cpu.idle', '1')
      is = { nice, isIdle }
    } catch {
      // A kernel that knows no idle groups, or a process that is gone.
    }
  }
}
