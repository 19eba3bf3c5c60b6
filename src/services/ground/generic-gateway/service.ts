import type { Service } from '../../../server/service.ts'
import developerService from './developer/handlers.ts'
import gateway from './handlers.ts'
import { openAllowances } from './invocation.ts'

export default { calls: [gateway, developerService], work: { start: openAllowances } } satisfies Service
