import type { Service } from '../../../server/service.ts'
import developerSupport from './handlers.ts'
import developerSupportWork from './jobs.ts'

export default { calls: [developerSupport], work: developerSupportWork } satisfies Service
