import type { Service } from '../../../server/service.ts'
import cloudDb from './handlers.ts'
import cloudDbWork from './jobs.ts'
import cloudDbKept from './kept/handlers.ts'
import cloudDbLive from './live/handlers.ts'
import cloudDbObjects from './objects/handlers.ts'
import cloudDbSecurity from './security/handlers.ts'
import cloudDbTransfer from './transfer/handlers.ts'
import cloudDbGateway, { ofDevices as cloudDbDevices } from './wire/handlers.ts'

export default {
  calls: [
    cloudDb,
    cloudDbKept,
    cloudDbObjects,
    cloudDbTransfer,
    cloudDbSecurity,
    cloudDbGateway,
    cloudDbDevices,
    cloudDbLive,
  ],
  work: cloudDbWork,
} satisfies Service
