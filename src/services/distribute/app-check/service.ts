import type { Service } from '../../../server/service.ts'
import detections, { testTaskConfig } from './detection/handlers.ts'
import appCheck from './handlers.ts'
import appCheckWork from './jobs.ts'

export default { calls: [appCheck, detections, testTaskConfig], work: appCheckWork } satisfies Service
