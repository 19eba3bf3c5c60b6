import type { Service } from '../../../server/service.ts'
import aliases from './aliases/handlers.ts'
import canary from './canary/handlers.ts'
import device from './device/handlers.ts'
import governance from './governance/handlers.ts'
import groups from './groups/handlers.ts'
import functionsIde from './handlers.ts'
import functionsWork from './jobs.ts'
import layers from './layers/handlers.ts'
import manage from './manage/handlers.ts'
import newer from './newer/handlers.ts'
import sdk from './newer/sdk/handlers.ts'
import queue from './queue/handlers.ts'
import invoking from './queue/invoke-handlers.ts'
import scaling from './scaling/handlers.ts'
import summary from './summary/handlers.ts'
import testing from './testing/handlers.ts'
import triggers from './triggers/handlers.ts'
import http from './triggers/http/handlers.ts'

export default {
  calls: [
    functionsIde,
    aliases,
    canary,
    testing,
    device,
    triggers,
    http,
    queue,
    invoking,
    governance,
    scaling,
    layers,
    newer,
    sdk,
    summary,
    groups,
    manage,
  ],
  work: functionsWork,
} satisfies Service
