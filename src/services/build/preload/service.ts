import type { Service } from '../../../server/service.ts'
import preloadData from './device/handlers.ts'
import preload from './handlers.ts'
import preloadWork from './jobs.ts'

export default { calls: [preload, preloadData], work: preloadWork } satisfies Service
