import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { storageErrors } from '../contract.ts'
import { levels } from '../rules.ts'

const Level = oneOf(levels)
const Bytes = integer(0, Number.MAX_SAFE_INTEGER)

export const StorageService = shape({
  projectId: Id,
  teamId: Id,
  level: Level,
  storedBytes: Bytes,
  objects: Bytes,
  updatedAt: Instant,
  revision: Revision,
})

/** What the operator's staff see and do about the cloud storage of all projects of a zone. */
export const storageDesk = service({
  name: 'build/storage',
  prefix: '/css/cloud-storage/v2',
  zone: 'current',
  permissions: ['review.read', 'store.operate'],
  errors: storageErrors,
  calls: {
    listServices: {
      method: 'POST',
      path: '/manage/services/list',
      who: 'manage',
      may: 'review.read',
      summary:
        'Projects of the zone with cloud storage, what they hold and at which level; found by their or their team’s id',
      body: shape({ search: optional(text(20)), level: optional(Level), ...PageQuery }),
      answer: pageOf(StorageService),
    },
    setLevel: {
      method: 'POST',
      path: '/manage/services/level',
      who: 'manage',
      may: 'store.operate',
      summary: 'Makes a project’s storage free or paid, or suspends it: then files are read, not written',
      body: shape({ projectId: Id, level: Level, reason: text(500, 3), revision: Revision }),
      answer: StorageService,
    },
  },
})
