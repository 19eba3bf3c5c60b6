import { service } from '../../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  Type,
  text,
} from '../../../../../kernel/shape.ts'
import { groupLimits } from './rules.ts'

const Name = text(groupLimits.nameLength, 1)
const AppIds = Type.Array(Id, { minItems: 1, maxItems: groupLimits.apps, uniqueItems: true })

const Group = shape({
  repositoryId: Id,
  name: Name,
  state: oneOf(['ACTIVE', 'REVOKED']),
  appIds: list(Id),
  /** The end of the secret, to tell addresses apart. */
  tokenEnd: Type.String(),
  tokenAt: Instant,
  createdAt: Instant,
  revokedAt: nullable(Instant),
  /** When a client last fetched the index, to the hour. */
  usedAt: nullable(Instant),
  revision: Revision,
  allowedActions: list(oneOf(['edit', 'rotate', 'revoke'])),
})

/** The whole address is told once: the secret in it is kept nowhere, not even as an answer to repeat. */
const GroupWithAddress = shape({ ...Group.properties, address: Type.String(), fingerprint: Type.String() })

const One = shape({ repositoryId: Id, revision: Revision })

/** Repositories for groups of testers or devices: some apps of a team behind a secret address. */
export const storeGroups = service({
  name: 'distribute/store',
  prefix: '/store/repositories/v1',
  zone: 'current',
  permissions: ['store.read', 'store.share'],
  errors: {
    tooMany: [202050011, 422, 'A team has at most {most} active repositories; revoke one first.'],
    nameTaken: [202050012, 409, 'The team has an active repository called {name}; choose another name.'],
    revoked: [202050013, 422, 'The repository {name} was revoked; make a new one.'],
  },
  calls: {
    listGroups: {
      method: 'GET',
      path: '/repositories',
      who: 'cp',
      may: 'store.read',
      summary: 'The repositories of the team, the newest first',
      query: shape({ search: optional(text(64)), state: optional(oneOf(['ACTIVE', 'REVOKED'])), ...PageQuery }),
      answer: pageOf(Group),
    },
    createGroup: {
      method: 'POST',
      path: '/repositories',
      who: 'cp',
      may: 'store.share',
      transaction: false,
      summary: 'Makes a repository for a group and tells its address once',
      body: shape({ name: Name, appIds: AppIds }),
      answer: GroupWithAddress,
    },
    updateGroup: {
      method: 'PUT',
      path: '/repositories',
      who: 'cp',
      may: 'store.share',
      summary: 'Changes the name or the apps; the address stays',
      body: shape({ ...One.properties, name: Name, appIds: AppIds }),
      answer: Group,
    },
    rotateGroupToken: {
      method: 'POST',
      path: '/repositories/token',
      who: 'cp',
      may: 'store.share',
      transaction: false,
      summary: 'Gives the repository a new address; the old one ends at once',
      body: One,
      answer: GroupWithAddress,
    },
    revokeGroup: {
      method: 'POST',
      path: '/repositories/revoke',
      who: 'cp',
      may: 'store.share',
      summary: 'Ends the repository; its address answers nothing any more',
      body: One,
      answer: Group,
    },
  },
})
