import { randomUUID } from 'node:crypto'
import type { DatabaseName } from '../server/database/pools.ts'
import type { Server } from '../server/server.ts'
import type { Service } from '../server/service.ts'

const channel = 'stage'
const waiting = new WeakMap<Server, Map<string, () => void>>()

/** Listens on every server of a stage, so that `heard` can wait for it. */
export const hearing: Service = {
  calls: [],
  work: {
    start: server => {
      const marks = new Map<string, () => void>()
      waiting.set(server, marks)
      for (const name of server.pools.names) server.signals.on(name, channel, mark => marks.get(mark)?.())
      return async () => undefined
    },
  },
}

/** Resolves when this server has heard every signal of what was committed so far: PostgreSQL tells each of them in order. */
export async function heard(server: Server, database: DatabaseName): Promise<void> {
  const mark = randomUUID()
  const marks = waiting.get(server)
  if (!marks) throw new Error('This server does not listen: it was not started by a stage.')
  const told = new Promise<void>(resolve => marks.set(mark, resolve))
  await server.pools.of(database).query('SELECT pg_notify($1, $2)', [channel, mark])
  await told
  marks.delete(mark)
}
