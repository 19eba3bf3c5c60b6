import type { Service } from '../../../server/service.ts'
import webhooks from './handlers.ts'
import webhooksWork from './jobs.ts'

export default { calls: [webhooks], work: webhooksWork } satisfies Service
