import type { Service } from '../../../server/service.ts'
import collect from './handlers.ts'
import collectWork from './jobs.ts'

export default { calls: [collect], work: collectWork } satisfies Service
