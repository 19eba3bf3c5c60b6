import type { Service } from '../../../server/service.ts'
import announcements from './announcements/handlers.ts'
import billboard from './billboard/handlers.ts'
import menu from './handlers.ts'
import menuWork from './jobs.ts'
import menuOperations from './operations/handlers.ts'
import pageConfiguration from './page-configuration/handlers.ts'

export default {
  calls: [menu, announcements, billboard, menuOperations, pageConfiguration],
  work: menuWork,
} satisfies Service
