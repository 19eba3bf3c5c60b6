import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { BucketId, storageErrors } from '../contract.ts'
import { keyServices } from '../rules.ts'

export const AccessKey = shape({
  accessKeyId: text(40),
  name: text(64),
  isReadOnly: flag(),
  services: list(oneOf(keyServices)),
  bucketId: nullable(BucketId),
  expiresAt: nullable(Instant),
  lastUsedAt: nullable(Instant),
  createdBy: Id,
  createdAt: Instant,
})

/** Keys with which clients of S3 and of functions sign. */
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
      summary: 'The keys of a project, without their secrets',
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
      summary: 'Makes a key; its secret is told this once',
      body: shape({
        projectId: Id,
        name: text(64, 1),
        isReadOnly: optional(flag()),
        /** Cloud storage unless said; for functions, who makes the key has to hold their rights. */
        services: optional(Type.Array(oneOf(keyServices), { minItems: 1, maxItems: 2, uniqueItems: true })),
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
      summary: 'Deletes a key; what it signs is refused at once',
      body: shape({ projectId: Id, accessKeyId: text(40, 1) }),
      answer: shape({}),
    },
  },
})
