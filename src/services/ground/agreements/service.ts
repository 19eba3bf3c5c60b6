import type { Service } from '../../../server/service.ts'
import consents from './consents/handlers.ts'
import developerAgreements from './developer/handlers.ts'
import agreementDocuments from './documents/handlers.ts'
import agreements from './handlers.ts'
import agreementsWork from './jobs.ts'

export default {
  calls: [agreements, consents, agreementDocuments, developerAgreements],
  work: agreementsWork,
} satisfies Service
