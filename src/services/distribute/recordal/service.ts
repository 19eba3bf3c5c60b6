import type { Service } from '../../../server/service.ts'
import recordalDesk from './desk/handlers.ts'
import recordal from './handlers.ts'
import recordalWork from './jobs.ts'

export default { calls: [recordal, recordalDesk], work: recordalWork } satisfies Service
