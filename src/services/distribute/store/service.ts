import type { Service } from '../../../server/service.ts'
import storeDecision from './decision/handlers.ts'
import storeField from './field/handlers.ts'
import store from './handlers.ts'
import storeHealth from './health/handlers.ts'
import storeWork from './jobs.ts'
import fdroidOfGroup from './repository/groups/device-handlers.ts'
import storeGroups from './repository/groups/handlers.ts'
import fdroid from './repository/handlers.ts'
import storeTests, { ofRepository as fdroidOfTests } from './testing/handlers.ts'
import transparency from './transparency/handlers.ts'

export default {
  calls: [
    store,
    storeDecision,
    storeField,
    storeHealth,
    transparency,
    storeGroups,
    storeTests,
    fdroid,
    fdroidOfGroup,
    fdroidOfTests,
  ],
  work: storeWork,
} satisfies Service
