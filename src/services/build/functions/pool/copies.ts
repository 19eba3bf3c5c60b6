import type { Server } from '../../../../server/server.ts'
import { runtimeOf } from './runtime.ts'
import type { VersionPool } from './version-pool.ts'

/** Of which versions; of all that run unless said. */
interface Question {
  functionId: string
  versions?: readonly string[] | undefined
}

const topic = 'copies of a function'

/** Answers for the other processes of this machine. Call once, before they ask. */
export function answerCopies(server: Server): void {
  server.siblings.answer(topic, question => standingHere(server, question as Question))
}

/** What runs of a function now, and how many copies there shall be: on this process and on those that share its port. */
export async function standingOf(server: Server, question: Question): Promise<Standing[]> {
  const others = await server.siblings.ask<Standing[]>(topic, question)
  return [standingHere(server, question), ...others].flat()
}

/** The copies of a function as the wire shows them, the oldest first, whichever process is asked. */
export async function copiesOf(server: Server, question: Question) {
  const all = (await standingOf(server, question)).flatMap(one => one.copies)
  return all.sort((one, other) => one.startedAt - other.startedAt)
}

/** Of one version, on one process. */
type Standing = ReturnType<typeof standingHere>[number]

function standingHere(server: Server, { functionId, versions }: Question) {
  const runtime = runtimeOf(server)
  return (versions ?? runtime.versionsOf(functionId)).map(version => {
    const pools = runtime.poolsOf(functionId, version)
    const copies = pools.flatMap(pool => shownOf(pool, version))
    return { version, copies, target: Math.max(0, ...pools.map(pool => pool.target().target)) }
  })
}

const whole = (value: number) => Math.round(value)

function shownOf(pool: VersionPool, version: string) {
  return pool.views().map(({ instanceId, ...one }) => ({
    ...{ ...one, podId: instanceId, version },
    ...{ memMb: whole(one.memMb), cpuMs: whole(one.cpuMs), bootMs: whole(one.bootMs), initMs: whole(one.initMs) },
  }))
}
