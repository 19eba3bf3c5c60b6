import type { Service } from '../../../server/service.ts'
import regions from './handlers.ts'

export default { calls: [regions] } satisfies Service
