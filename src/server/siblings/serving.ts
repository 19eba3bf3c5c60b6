import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyListenOptions } from 'fastify'
import type { Booted, DatabaseUrls } from '../boot.ts'
import { joinsNow, KeptProcess, servesNow } from './kept.ts'
import type { Siblings } from './siblings.ts'

/** Numbers of processes that make ids. */
const nodes = 1024
const joinMs = 10_000

/**
 * Listens where the configuration says. Where several processes shall serve, the first one starts the others, from the same
 * program, and the kernel gives each connection to one of them. The first does not wait until they serve.
 *
 * @returns the address, when all serve, and what ends the others
 */
export async function serve(
  { app, server }: Booted,
  databases: DatabaseUrls,
  program: string,
): Promise<{ address: string; all: Promise<unknown>; pids: () => number[]; close(): Promise<void> }> {
  const { siblings, log } = server
  const { host, port } = server.config
  const { at, of } = siblings.place
  const isShared = of > 1
  // Two that share a port share it with anyone of the same user, and so with a second Loggia that was started by mistake.
  if (isShared && at === 0 && port > 0) await assertFree(host, port)
  if (at > 0) await joinFirst(siblings)
  const address = await app.listen({ host, port, reusePort: isShared } as FastifyListenOptions)
  if (at > 0 && process.connected) process.send?.(servesNow)
  // Tokens name the address that they are of, so it is the same for all, whichever port was free.
  const same = { LOGGIA_URL: server.config.publicUrl, PORT: new URL(address).port }
  const env = { ...process.env, ...environmentOf(databases), ...same, LOGGIA_PROCESSES: String(of) }
  const kept = Array.from({ length: at === 0 ? of - 1 : 0 }, (_, before) => {
    // Other servers may have the numbers that follow this one's.
    const node = String((server.config.node + Math.floor(((before + 1) * nodes) / of)) % nodes)
    return new KeptProcess({
      ...{ siblings, log, program },
      env: { ...env, LOGGIA_PROCESS: String(before + 1), LOGGIA_NODE: node },
    })
  })
  return {
    address,
    all: Promise.all(kept.map(one => one.start())),
    pids: () => kept.flatMap(one => one.pid ?? []),
    close: async () => void (await Promise.all(kept.map(one => one.close()))),
  }
}

/** Before the first connection comes: whoever asks this process may have been answered by another one just now. */
async function joinFirst(siblings: Siblings): Promise<void> {
  siblings.join(process)
  if (process.connected) process.send?.(joinsNow)
  // It has joined as soon as it answers anything.
  await siblings.askFirst('joined', null, joinMs)
}

async function assertFree(host: string, port: number): Promise<void> {
  const probe = createServer().listen({ host, port, exclusive: true })
  await once(probe, 'listening')
  await new Promise(resolve => probe.close(resolve))
}

/** The embedded server's databases, too, by the names under which an operator gives them. */
function environmentOf(databases: DatabaseUrls): NodeJS.ProcessEnv {
  const entries = Object.entries(databases).flatMap(([name, { url, ownerUrl }]) => [
    [`DATABASE_URL_${name.toUpperCase()}`, url],
    [`DATABASE_OWNER_URL_${name.toUpperCase()}`, ownerUrl],
  ])
  return Object.fromEntries(entries)
}
