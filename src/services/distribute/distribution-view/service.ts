import type { Service } from '../../../server/service.ts'
import appViews, { secondGeneration as appViewsV2 } from './apps/handlers.ts'
import testViews, { secondGeneration as testViewsV2 } from './beta-tests/handlers.ts'
import immersiveDesk from './immersive/desk/handlers.ts'
import immersive, { secondGeneration as immersiveV2 } from './immersive/handlers.ts'
import distributionViewWork from './jobs.ts'
import packageViews, { secondGeneration as packageViewsV2 } from './packages/handlers.ts'
import releaseViews, { secondGeneration as releaseViewsV2 } from './releases/handlers.ts'
import serviceViews, { secondGeneration as serviceViewsV2 } from './services/handlers.ts'
import versionViews, { secondGeneration as versionViewsV2 } from './versions/handlers.ts'

export default {
  calls: [
    appViews,
    appViewsV2,
    versionViews,
    versionViewsV2,
    releaseViews,
    releaseViewsV2,
    testViews,
    testViewsV2,
    packageViews,
    packageViewsV2,
    serviceViews,
    serviceViewsV2,
    immersive,
    immersiveV2,
    immersiveDesk,
  ],
  work: distributionViewWork,
} satisfies Service
