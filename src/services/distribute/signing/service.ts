import type { Service } from '../../../server/service.ts'
import signing from './handlers.ts'
import signingWork from './jobs.ts'

export default { calls: [signing], work: signingWork } satisfies Service
