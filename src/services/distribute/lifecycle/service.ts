import type { Service } from '../../../server/service.ts'
import lifecycleDesk from './desk/handlers.ts'
import lifecycle from './handlers.ts'
import lifecycleWork from './jobs.ts'

export default { calls: [lifecycle, lifecycleDesk], work: lifecycleWork } satisfies Service
