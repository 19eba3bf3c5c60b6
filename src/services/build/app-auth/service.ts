import type { Service } from '../../../server/service.ts'
import appAuthDevice, { keySet as appAuthKeySet } from './device/handlers.ts'
import authHooks from './hooks-desk/handlers.ts'
import hostedSignIn from './hosted/handlers.ts'
import appUserImports from './imports/handlers.ts'
import appAuthWork from './jobs.ts'
import authSettings from './settings/handlers.ts'
import appUserDesk from './user-desk/handlers.ts'

export default {
  calls: [appAuthDevice, appAuthKeySet, hostedSignIn, authSettings, authHooks, appUserDesk, appUserImports],
  work: appAuthWork,
} satisfies Service
