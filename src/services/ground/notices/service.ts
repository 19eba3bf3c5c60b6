import type { Service } from '../../../server/service.ts'
import notices from './handlers.ts'
import noticesWork from './jobs.ts'

export default { calls: [notices], work: noticesWork } satisfies Service
