import type { Service } from '../../../server/service.ts'
import processDesk from './desk/handlers.ts'
import orchestration from './handlers.ts'
import orchestrationWork from './jobs.ts'

export default { calls: [orchestration, processDesk], work: orchestrationWork } satisfies Service
