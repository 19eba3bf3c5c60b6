import type { Service } from '../../../server/service.ts'
import audiences from './audiences/handlers.ts'
import work from './jobs.ts'
import ruleSets from './rule-sets/handlers.ts'

export default { calls: [ruleSets, audiences], work } satisfies Service
