import type { Service } from '../../../server/service.ts'
import materialWork from './jobs.ts'
import materialDesk from './tests/desk/handlers.ts'
import materialTests, { harmony as harmonyMaterialTests } from './tests/handlers.ts'

export default { calls: [materialTests, harmonyMaterialTests, materialDesk], work: materialWork } satisfies Service
