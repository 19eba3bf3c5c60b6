import type { Service } from '../../../server/service.ts'
import series from './handlers.ts'
import seriesWork from './jobs.ts'

export default { calls: [series], work: seriesWork } satisfies Service
