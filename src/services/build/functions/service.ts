import type { Service } from '../../../server/service.ts'
import aliases from './aliases/handlers.ts'
import device from './device/handlers.ts'
import functionsIde from './handlers.ts'
import functionsWork from './jobs.ts'
import testing from './testing/handlers.ts'

export default { calls: [functionsIde, aliases, testing, device], work: functionsWork } satisfies Service
