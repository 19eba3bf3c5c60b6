import type { Service } from '../../../server/service.ts'
import developerService from './developer/handlers.ts'
import gateway from './handlers.ts'

export default { calls: [gateway, developerService] } satisfies Service
