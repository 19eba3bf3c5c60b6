import { mkdir, readdir, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './alive.ts'

/** Where the kernel has its groups, of either generation. */
export const groups = '/sys/fs/cgroup'

/** A file that takes whoever joins; null where joining another one is enough. */
export interface Group {
  members: string | null
}

/** A command that is in these groups from its first moment on. */
export function withinGroups(joined: readonly (Group | null)[], command: readonly string[]) {
  const enter = joined.map(group => (group?.members ? `echo $$ > ${group.members}; ` : '')).join('')
  return { command: 'sh', args: ['-c', `${enter}exec "$@"`, 'sh', ...command] }
}

/** The folder of a new group, which is named after this process. Throws where this user may make none. */
export async function makeGroup(parent: string, prefix: string, name: string): Promise<string> {
  const folder = path.join(parent, `${prefix}${process.pid}-${name}`)
  const key = path.join(parent, prefix)
  if (!cleaned.has(key)) cleaned.set(key, removeLeftBehind(parent, prefix))
  await cleaned.get(key)
  await mkdir(folder)
  return folder
}

/** What ended a moment ago may still be on its way out. */
const leavingMs = [0, 5, 20, 100, 500, 2_000]

/** Once nobody is in it any more. */
export async function removeGroup(folder: string): Promise<void> {
  for (const ms of leavingMs) {
    if (ms > 0) await sleep(ms)
    const error = await rmdir(folder).then(
      () => null,
      failed => failed as NodeJS.ErrnoException,
    )
    if (error?.code !== 'EBUSY') return
  }
}

const cleaned = new Map<string, Promise<void>>()

/** Of servers that were killed. */
async function removeLeftBehind(parent: string, prefix: string): Promise<void> {
  const isLeft = (name: string) => name.startsWith(prefix) && !isAlive(Number.parseInt(name.slice(prefix.length), 10))
  const left = (await readdir(parent)).filter(isLeft)
  await Promise.all(left.map(name => removeGroup(path.join(parent, name))))
}
