import type { Service } from '../../../server/service.ts'
import clues from './handlers.ts'
import cluesWork from './jobs.ts'

export default { calls: [clues], work: cluesWork } satisfies Service
