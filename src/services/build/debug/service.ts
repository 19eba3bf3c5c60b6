import type { Service } from '../../../server/service.ts'
import debugging from './handlers.ts'
import debugWork from './jobs.ts'
import cloudSwitches from './switches/handlers.ts'

export default { calls: [debugging, cloudSwitches], work: debugWork } satisfies Service
