import { type CallSpec, service } from '../../../../kernel/contract.ts'
import { flag, Id, list, oneOf, optional, shape, Type, text } from '../../../../kernel/shape.ts'
import { limits } from '../schema/rules.ts'
import { dataErrors } from './rules.ts'

const Place = { projectId: Id, cloudDBZoneName: text(60, 1), objectTypeName: text(60, 1) }
const Rows = Type.Array(Type.Unknown(), { maxItems: limits.writeObjects })
const data = { who: 'cp', may: 'cloudDb.data', transaction: false } as const satisfies Partial<CallSpec>

/** Rows as people of the console see and change them: with the rights of administrators, not bound by rules. */
export const cloudDbObjects = service({
  name: 'build/cloud-db',
  prefix: '/clouddb/v1',
  zone: 'current',
  permissions: ['cloudDb.data'],
  errors: dataErrors,
  calls: {
    queryObjects: {
      ...data,
      method: 'POST',
      path: '/objects/queries',
      summary: 'Rows that conditions find, or those of the recycle bin; long values are cut',
      body: shape({
        ...Place,
        queryConditions: Type.Array(Type.Unknown()),
        deleted: optional(flag()),
        withTotal: optional(flag()),
      }),
      answer: shape({
        data: list(Type.Unknown()),
        total: optional(Type.Integer()),
        /** There are more behind these. */
        hasMore: flag(),
      }),
    },
    putObject: {
      ...data,
      method: 'POST',
      path: '/object',
      bodyLimit: 4 * 1024 * 1024,
      summary: 'Inserts, upserts or updates one row; an update may name the version that was read',
      body: shape({
        ...Place,
        object: Type.Unknown(),
        operation: oneOf(['INSERT', 'UPSERT', 'UPDATE']),
        version: optional(text(20)),
      }),
      answer: shape({ written: Type.Integer() }),
    },
    deleteObject: {
      ...data,
      method: 'DELETE',
      path: '/object',
      summary: 'Deletes rows by their keys, into the recycle bin where there is one',
      body: shape({ ...Place, objects: Rows }),
      answer: shape({ deleted: Type.Integer() }),
    },
    deleteAllObjects: {
      ...data,
      method: 'DELETE',
      path: '/allObjects',
      summary: 'Empties an object type in a data zone for good, its bin and its counter too',
      query: shape({ ...Place, confirm: optional(text(60)) }),
      answer: shape({ objectTypeName: Type.String() }),
    },
    purgeObjects: {
      ...data,
      method: 'DELETE',
      path: '/syncObjects',
      summary: 'Takes rows out of the recycle bin for good',
      body: shape({ ...Place, objects: Rows }),
      answer: shape({ purged: Type.Integer() }),
    },
    recoverObjects: {
      ...data,
      method: 'POST',
      path: '/objectsRecovery',
      summary: 'Brings rows back out of the recycle bin',
      body: shape({ ...Place, primaryKeys: optional(Rows), all: optional(flag()) }),
      answer: shape({
        restored: Type.Integer(),
        conflicts: list(shape({ key: Type.String(), reason: Type.String() })),
      }),
    },
    loadField: {
      ...data,
      method: 'POST',
      path: '/field/load',
      kind: 'download',
      summary: 'One long value whole: a text as text, bytes as bytes',
      body: shape({ ...Place, primaryKey: Type.Unknown(), fieldName: text(60, 1) }),
    },
  },
})
