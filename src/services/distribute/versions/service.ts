import type { Service } from '../../../server/service.ts'
import versionBulks from './bulk/handlers.ts'
import versionDeclarations from './declarations/handlers.ts'
import versions from './handlers.ts'
import versionHistory from './history/handlers.ts'
import versionsWork from './jobs.ts'
import versionListings from './listing/handlers.ts'
import versionPhased from './phased/handlers.ts'
import versionRollback from './rollback/handlers.ts'
import versionShelf from './shelf/handlers.ts'
import versionTests from './testing/handlers.ts'

export default {
  calls: [
    versions,
    versionListings,
    versionShelf,
    versionHistory,
    versionBulks,
    versionDeclarations,
    versionPhased,
    versionRollback,
    versionTests,
  ],
  work: versionsWork,
} satisfies Service
