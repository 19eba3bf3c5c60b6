import type { Service } from '../../../server/service.ts'
import appEvents from './handlers.ts'
import appEventsWork from './jobs.ts'

export default { calls: [appEvents], work: appEventsWork } satisfies Service
