import { type Upload, uploadsOf } from '../../../../../console/uploads/uploads.ts'
import type { PackageUsage } from '../../rules.ts'
import { api, fileCalls, partCalls } from '../package-calls.ts'

interface PackageWish {
  appId: string
  usage: PackageUsage
}

interface MadePackage {
  pkgId: string
  taskId: string
}

export type PackageUpload = Upload<PackageWish, MadePackage>

export const uploads = uploadsOf<PackageWish, MadePackage>({
  storageKey: 'loggia.uploads',
  calls: {
    listParts: partCalls.listParts,
    compose: partCalls.compose,
    abortUpload: partCalls.abortUpload,
    deleteObjects: fileCalls.deleteObjects,
  },
  begin: (file, _wish, options) =>
    partCalls.beginUpload({ body: { fileName: file.name, size: file.size, bizTag: 'app_pkg' } }, options),
  isSame: (one, other) => one.appId === other.appId,
  finish: async ({ nspUploadId, appId, objectId, usage }, options) => {
    const idempotencyKey = `package-of-${nspUploadId}`
    const { pkgId, taskId } = await api.createPackage(
      { body: { appId, objectId, usage } },
      { ...options, idempotencyKey },
    )
    return { pkgId, taskId }
  },
  invalidates: api.createPackage.service,
})
