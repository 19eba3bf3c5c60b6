import type { Service } from '../../../server/service.ts'
import qualificationDesk from './desk/handlers.ts'
import qualification from './handlers.ts'
import qualificationWork from './jobs.ts'
import { exempt, metadata } from './meta/handlers.ts'

export default {
  calls: [qualification, qualificationDesk, metadata, exempt],
  work: qualificationWork,
} satisfies Service
