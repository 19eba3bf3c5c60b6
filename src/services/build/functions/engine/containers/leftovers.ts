import { readFileSync, readlinkSync } from 'node:fs'
import type Docker from 'dockerode'

export interface Labels {
  role: 'door' | 'function'
  functionName: string
  version: string
}

const label = { role: 'loggia.functions', server: 'loggia.server', machine: 'loggia.machine' }

/** By which a container is known as one of this process. */
export const labelsOf = ({ role, functionName, version }: Labels): Record<string, string> => ({
  [label.role]: role,
  [label.server]: processName(process.pid) ?? '',
  [label.machine]: machine(),
  'loggia.function': functionName,
  'loggia.version': version,
})

/** A number of a process is given again; with when it began it is one process only. Null when it is gone. */
function processName(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${pid}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return null
  }
}

/** Processes are numbered anew in each namespace: what another one left is not ours to judge. */
function machine(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Takes away the containers of servers that were killed. */
export async function removeLeftContainers(docker: Docker): Promise<void> {
  const all = await docker.listContainers({ all: true, filters: { label: [`${label.machine}=${machine()}`] } })
  const left = all.filter(({ Labels: { [label.server]: server = '' } }) => processName(parseInt(server, 10)) !== server)
  // A door goes after what stands in its network.
  left.sort((a, b) => (b.Labels[label.role] ?? '').localeCompare(a.Labels[label.role] ?? ''))
  for (const { Id } of left)
    await docker
      .getContainer(Id)
      .remove({ force: true, v: true })
      .catch(() => undefined)
}
