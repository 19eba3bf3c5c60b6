import type { Service } from '../../../server/service.ts'
import storageDesk from './desk/handlers.ts'
import storageDevice from './device/handlers.ts'
import storageFiles, { older as storageFilesOlder } from './files/handlers.ts'
import storage, { older as storageOlder } from './handlers.ts'
import hostedSites from './hosting/device-handlers.ts'
import storageHosting, { older as storageHostingOlder } from './hosting/handlers.ts'
import storageWork from './jobs.ts'
import storageKeys from './keys/handlers.ts'
import storageS3 from './s3/handlers.ts'
import storageSecurity from './security/handlers.ts'
import storageTus from './tus/handlers.ts'

export default {
  calls: [
    storage,
    storageOlder,
    storageFiles,
    storageFilesOlder,
    storageSecurity,
    storageHosting,
    storageHostingOlder,
    storageKeys,
    storageDesk,
    storageDevice,
    storageS3,
    storageTus,
    hostedSites,
  ],
  work: storageWork,
} satisfies Service
