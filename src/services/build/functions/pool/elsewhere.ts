import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Server } from '../../../../server/server.ts'
import { controlsOf } from '../governance/controls.ts'
import type { Invocation, Ran } from '../invocation.ts'
import { targetsOf } from '../targets.ts'
import type { Runnable } from './runtime.ts'

const topic = 'a call of a function'
/** Beyond the time that the call itself has. */
const graceMs = 30_000

/** A call on its way to another process, which knows the version itself. */
interface Passed extends Omit<Invocation, 'runnable'> {
  zone: ZoneId
  functionId: string
  version: string
}

/**
 * Whether the copies of a function are those of another process. Any of those that share a port runs a function of which
 * nothing is set. What is set counts over all calls, so the first process makes them all.
 */
export function isElsewhere(server: Server, { zone, functionId }: Runnable): boolean | Promise<boolean> {
  if (server.siblings.place.at === 0) return false
  const controls = controlsOf(server).of(zone, functionId)
  if (!(controls instanceof Promise)) return controls.isCountedWhole
  // Where they cannot be read the call itself says so.
  return controls.then(found => found.isCountedWhole).catch(() => false)
}

/** Has the first process make a call; undefined where it does not answer. */
export async function callAtFirst(server: Server, invocation: Invocation, ms: number): Promise<Ran | undefined> {
  const { runnable, ...rest } = invocation
  const { zone, functionId, version } = runnable
  const passed: Passed = { ...rest, zone, functionId, version, headers: { ...rest.headers } }
  return server.siblings.askFirst<Ran>(topic, passed, ms + graceMs)
}

/** Makes calls that other processes pass on. Call once, before they ask. */
export function takePassedCalls(server: Server, make: (invocation: Invocation) => Promise<Ran>): void {
  server.siblings.answer(topic, async said => {
    const { zone, functionId, version, ...rest } = said as Passed
    const known = await targetsOf(server).known(zone, functionId)
    const runnable = known && targetsOf(server).version(zone, known, version)
    if (!runnable) throw new Error(`${functionId} has no version ${version} any more`)
    return make({ ...rest, runnable })
  })
}
