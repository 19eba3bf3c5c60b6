import type { Service } from '../../../server/service.ts'
import appeals from './appeals/handlers.ts'
import automaticPasses from './auto/handlers.ts'
import reviewDesk from './desk/handlers.ts'
import submissions from './handlers.ts'
import reviewWork from './jobs.ts'
import reviewPolicies from './policies/handlers.ts'
import deskMoves from './senior/handlers.ts'
import sensitiveApps from './sensitive/handlers.ts'
import reviewStatistics from './statistics/handlers.ts'

export default {
  calls: [
    reviewDesk,
    deskMoves,
    sensitiveApps,
    automaticPasses,
    reviewPolicies,
    reviewStatistics,
    submissions,
    appeals,
  ],
  work: reviewWork,
} satisfies Service
