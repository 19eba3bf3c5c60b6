import type { Service } from '../../../server/service.ts'
import cutovers from './cutover/handlers.ts'
import series from './handlers.ts'
import seriesWork from './jobs.ts'
import relations from './relations/handlers.ts'

export default { calls: [series, cutovers, relations], work: seriesWork } satisfies Service
