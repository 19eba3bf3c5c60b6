import type { Service } from '../../../server/service.ts'
import aliases from './aliases/handlers.ts'
import device from './device/handlers.ts'
import functionsIde from './handlers.ts'
import functionsWork from './jobs.ts'
import queue from './queue/handlers.ts'
import invoking from './queue/invoke-handlers.ts'
import testing from './testing/handlers.ts'
import triggers from './triggers/handlers.ts'
import http from './triggers/http/handlers.ts'

export default {
  calls: [functionsIde, aliases, testing, device, triggers, http, queue, invoking],
  work: functionsWork,
} satisfies Service
