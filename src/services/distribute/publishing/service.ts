import type { Service } from '../../../server/service.ts'
import publishing from './handlers.ts'

export default { calls: [publishing] } satisfies Service
