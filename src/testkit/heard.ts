import { randomUUID } from 'node:crypto'
import type { DatabaseName } from '../server/database/pools.ts'
import type { Server } from '../server/server.ts'
import type { Service } from '../server/service.ts'

const channel = 'stage'
const waiting = new Map<string, () => void>()

/** Listens on every server of a stage, so that `heard` can wait for it. */
export const hearing: Service = {
  calls: [],
  work: {
    start: server => {
      for (const name of server.pools.names) server.signals.on(name, channel, mark => waiting.get(mark)?.())
      return async () => undefined
    },
  },
}

/** Resolves when a server has heard every signal of what was committed so far: PostgreSQL tells them in order. */
export async function heard(server: Server, database: DatabaseName): Promise<void> {
  const mark = randomUUID()
  const told = new Promise<void>(resolve => waiting.set(mark, resolve))
  await server.pools.of(database).query('SELECT pg_notify($1, $2)', [channel, mark])
  await told
  waiting.delete(mark)
}
