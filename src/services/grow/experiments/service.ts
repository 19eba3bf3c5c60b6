import type { Service } from '../../../server/service.ts'
import analysis from './analysis/handlers.ts'
import experiments from './handlers.ts'
import work from './jobs.ts'
import layers from './layers/handlers.ts'
import metrics from './metrics/handlers.ts'

export default { calls: [experiments, analysis, metrics, layers], work } satisfies Service
