import type { Service } from '../../../server/service.ts'
import certs from './certs/handlers.ts'
import devices from './devices/handlers.ts'
import harmonyWork from './jobs.ts'
import profiles from './profiles/handlers.ts'

export default { calls: [certs, devices, profiles], work: harmonyWork } satisfies Service
