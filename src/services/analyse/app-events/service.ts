import type { Service } from '../../../server/service.ts'
import collecting from './collecting/handlers.ts'
import appEvents from './handlers.ts'
import appEventsWork from './jobs.ts'

export default { calls: [appEvents, collecting], work: appEventsWork } satisfies Service
