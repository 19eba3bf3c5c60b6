import type { Service } from '../../../server/service.ts'
import changeRequests from './change-requests/handlers.ts'
import exchange from './exchange/handlers.ts'
import fetch from './fetch/handlers.ts'
import foreign from './foreign/handlers.ts'
import remoteConfig from './handlers.ts'
import impact from './impact/handlers.ts'
import remoteConfigWork from './jobs.ts'
import ofrep from './ofrep/handlers.ts'
import releases from './releases/handlers.ts'
import agreement from './rollouts/agreement/handlers.ts'
import rollouts from './rollouts/handlers.ts'
import settings from './settings/handlers.ts'

export default {
  calls: [
    remoteConfig,
    impact,
    releases,
    changeRequests,
    rollouts,
    agreement,
    exchange,
    settings,
    fetch,
    ofrep,
    foreign,
  ],
  work: remoteConfigWork,
} satisfies Service
