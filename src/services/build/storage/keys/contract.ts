import { service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, integer, list, nullable, optional, shape, text } from '../../../../kernel/shape.ts'
import { BucketId, storageErrors } from '../contract.ts'

export const AccessKey = shape({
  accessKeyId: text(40),
  name: text(64),
  isReadOnly: flag(),
  bucketId: nullable(BucketId),
  expiresAt: nullable(Instant),
  lastUsedAt: nullable(Instant),
  createdBy: Id,
  createdAt: Instant,
})

/** Keys with which clients of S3 sign. */
export const storageKeys = service({
  name: 'build/storage',
  prefix: '/css/cloud-storage/v2',
  zone: 'current',
  permissions: ['storage.keys'],
  errors: storageErrors,
  calls: {
    listKeys: {
      method: 'POST',
      path: '/keys/listKeys',
      who: 'cp',
      may: 'storage.keys',
      summary: 'The S3 keys of a project, without their secrets',
      body: shape({ projectId: Id }),
      answer: shape({
        total: integer(0, 1000),
        list: list(AccessKey),
        nextCursor: nullable(text(1)),
        endpoint: text(300),
      }),
    },
    createKey: {
      method: 'POST',
      path: '/keys/createKey',
      who: 'cp',
      may: 'storage.keys',
      summary: 'Makes an S3 key; its secret is told this once',
      body: shape({
        projectId: Id,
        name: text(64, 1),
        isReadOnly: optional(flag()),
        bucketId: optional(BucketId),
        expireDays: optional(integer(1, 3650)),
      }),
      answer: shape({ key: AccessKey, secretAccessKey: text(64) }),
    },
    deleteKey: {
      method: 'POST',
      path: '/keys/deleteKey',
      who: 'cp',
      may: 'storage.keys',
      summary: 'Deletes an S3 key; what it signed is refused at once',
      body: shape({ projectId: Id, accessKeyId: text(40, 1) }),
      answer: shape({}),
    },
  },
})
