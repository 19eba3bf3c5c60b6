import type { Service } from '../../../server/service.ts'
import rules from './handlers.ts'
import rulesWork from './jobs.ts'

export default { calls: [rules], work: rulesWork } satisfies Service
