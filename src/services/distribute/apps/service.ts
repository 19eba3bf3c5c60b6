import type { Service } from '../../../server/service.ts'
import demoProject from './demo/handlers.ts'
import appsDesk from './desk/handlers.ts'
import apps from './handlers.ts'
import appsWork from './jobs.ts'
import nonAgApps from './non-ag/handlers.ts'
import appPlaces from './places/handlers.ts'
import appTransfer from './transfer/handlers.ts'

export default {
  calls: [apps, appPlaces, appTransfer, appsDesk, nonAgApps, demoProject],
  work: appsWork,
} satisfies Service
