import { systemContext } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { activeProcesses, forgetProcesses, processChannel } from './active-processes.ts'
import { seedProcesses } from './seeding.ts'

export default {
  start: server => {
    const zone = server.config.zones[0]
    if (zone === undefined) return async () => undefined
    server.signals.on('home', processChannel, () => forgetProcesses(server))
    const ctx = systemContext(server, zone, { name: 'orchestration.seed' })
    const seeding = ctx
      .transact(inner => seedProcesses(inner))
      .then(() => forgetProcesses(server))
      .then(() => activeProcesses(ctx))
      .catch(error => server.log.error({ err: error }, 'the processes of the program could not be stored'))
    return async () => {
      await seeding
    }
  },
} satisfies Work
