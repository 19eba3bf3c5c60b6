import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, list, oneOf, shape, Type } from '../../../../kernel/shape.ts'

/** How long a deleted object type or data zone can be brought back. */
export const keptDays = 7

export const cloudDbKept = service({
  name: 'build/cloud-db',
  prefix: '/clouddb/v1',
  zone: 'current',
  permissions: ['cloudDb.edit'],
  errors: {
    noneKept: [204043001, 404, 'Nothing that was deleted is kept here under {keptId}.'],
    doesNotFit: [204043002, 409, '{typeName} is no longer as it was: {reason}. Delete it first, then bring this back.'],
  },
  calls: {
    listKept: {
      method: 'GET',
      path: '/deletedStores',
      who: 'cp',
      may: 'cloudDb.edit',
      summary: 'Object types and data zones that were deleted and can be brought back, the newest first',
      query: shape({ projectId: Id }),
      answer: shape({
        list: list(
          shape({
            keptId: Id,
            kind: oneOf(['TYPE', 'ZONE']),
            name: Type.String(),
            deletedBy: Type.String(),
            deletedAt: Instant,
            keptUntil: Instant,
          }),
        ),
      }),
    },
    restoreKept: {
      method: 'POST',
      path: '/deletedStores/restore',
      who: 'cp',
      may: 'cloudDb.edit',
      transaction: false,
      summary: 'Brings a deleted object type or data zone back with its rows',
      body: shape({ projectId: Id, keptId: Id }),
      answer: shape({
        kind: oneOf(['TYPE', 'ZONE']),
        name: Type.String(),
        version: Type.Integer(),
        /** What could not come back: tables of data zones or types that are gone themselves. */
        leftOut: list(Type.String()),
      }),
    },
  },
})
