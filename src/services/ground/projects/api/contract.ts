import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { apiCatalogue, keyLimits, packageNamePattern } from './rules.ts'

const Count = integer(0, Number.MAX_SAFE_INTEGER)
const Words = shape({ zh: text(100), en: text(100), ru: text(100) })
const ApiId = oneOf(apiCatalogue.map(one => one.apiId) as ['publishing', ...string[]])
const Api = shape({
  apiId: text(40),
  name: Words,
  serviceId: nullable(text(40)),
  isEnabled: Type.Boolean(),
  /** The service it belongs to is off, so it answers nothing. */
  isWaiting: Type.Boolean(),
  enabledAt: nullable(Instant),
})
const Apis = shape({ projectId: Id, list: list(Api) })
const OfProject = { projectId: Id }
const ApiIds = Type.Array(ApiId, { minItems: 1, maxItems: 20, uniqueItems: true })

const Restrictions = {
  apis: optional(Type.Array(ApiId, { maxItems: keyLimits.restrictions, uniqueItems: true })),
  packageNames: optional(
    Type.Array(pattern(packageNamePattern, 128, 'com.example.app'), {
      maxItems: keyLimits.restrictions,
      uniqueItems: true,
    }),
  ),
}
const ApiKey = shape({
  keyId: Id,
  projectId: Id,
  name: text(keyLimits.nameLength),
  /** The first characters; the key is shown when it is made or rotated, and never again. */
  prefix: text(20),
  apis: list(text(40)),
  packageNames: list(text(128)),
  state: oneOf(['ACTIVE', 'DISABLED', 'REVOKED', 'EXPIRED']),
  /** Until when the key before the last rotation is good. */
  formerUntil: nullable(Instant),
  expireAt: nullable(Instant),
  createdBy: Id,
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})
const ShownKey = shape({ ...ApiKey.properties, apiKey: nullable(text(100)) })
const Alliance = shape({ isMember: Type.Boolean(), allianceName: text(100), contact: text(200) })

const errors = {
  tooManyKeys: [201030050, 422, 'A project has at most {limit} keys; revoke one first.'],
  keyRevoked: [201030051, 422, 'The key {prefix} was revoked; make a new one.'],
  keyNameTaken: [201030052, 409, 'The project has a key {name} already; choose another name.'],
} as const

const delegates = <const Prefix extends string>(prefix: Prefix) =>
  service({
    name: 'ground/projects',
    prefix,
    zone: 'home',
    permissions: ['projects.read', 'projects.edit', 'projects.secrets'],
    errors,
    calls: {
      getServiceStatus: {
        method: 'GET',
        path: '/service-status',
        who: 'cp',
        may: 'projects.read',
        summary: 'Which services of a project answer, and which interfaces are open',
        query: shape(OfProject),
        answer: shape({
          projectId: Id,
          zone: text(2),
          list: list(
            shape({
              serviceId: text(40),
              isEnabled: Type.Boolean(),
              isOffered: Type.Boolean(),
              openApis: Count,
              apis: Count,
            }),
          ),
        }),
      },
      listProjectApis: {
        method: 'GET',
        path: '/project-api',
        who: 'cp',
        may: 'projects.read',
        summary: 'The interfaces of a project',
        query: shape(OfProject),
        answer: Apis,
      },
      openProjectApis: {
        method: 'POST',
        path: '/project-api',
        who: 'cp',
        may: 'projects.edit',
        summary: 'Opens interfaces for the keys of a project; may be repeated',
        body: shape({ ...OfProject, apiIds: ApiIds }),
        answer: Apis,
      },
      closeProjectApi: {
        method: 'DELETE',
        path: '/project-api',
        who: 'cp',
        may: 'projects.edit',
        summary: 'Closes an interface for the keys of a project',
        query: shape({ ...OfProject, apiId: ApiId }),
        answer: Apis,
      },
      getAllianceAttr: {
        method: 'GET',
        path: '/alliance-attr',
        who: 'cp',
        may: 'projects.read',
        summary: 'A project’s place in an alliance of stores',
        query: shape(OfProject),
        answer: shape({ ...OfProject, ...Alliance.properties, revision: Revision }),
      },
      setAllianceAttr: {
        method: 'PUT',
        path: '/alliance-attr',
        who: 'cp',
        may: 'projects.edit',
        summary: 'Changes a project’s place in an alliance of stores',
        body: shape({ ...OfProject, ...Alliance.properties, revision: Revision }),
        answer: shape({ ...OfProject, ...Alliance.properties, revision: Revision }),
      },
      listApiKeys: {
        method: 'GET',
        path: '/api-key',
        who: 'cp',
        may: 'projects.read',
        summary: 'The keys of a project, without the keys themselves',
        query: shape(OfProject),
        answer: shape({ total: Count, list: list(ApiKey) }),
      },
      createApiKey: {
        method: 'POST',
        path: '/api-key',
        who: 'cp',
        may: 'projects.secrets',
        summary: 'Makes a key and shows it this once',
        body: shape({
          ...OfProject,
          name: text(keyLimits.nameLength, 1),
          ...Restrictions,
          lifeDays: optional(integer(1, 3650)),
        }),
        answer: ShownKey,
      },
      changeApiKey: {
        method: 'PUT',
        path: '/api-key',
        who: 'cp',
        may: 'projects.secrets',
        summary: 'Changes a key: name, restrictions, on or off; or rotates or revokes it',
        body: shape({
          ...OfProject,
          keyId: Id,
          action: optional(oneOf(['enable', 'disable', 'rotate', 'revoke'])),
          name: optional(text(keyLimits.nameLength, 1)),
          ...Restrictions,
          revision: Revision,
        }),
        answer: ShownKey,
      },
    },
  })

export const dgsProjectApis = delegates('/dgs/delegate-services/v1')
export const cpmsProjectApis = delegates('/cpms/delegate-services/v1')

/** The same interfaces as one switchboard. */
export const projectApiService = service({
  name: 'ground/projects',
  prefix: '/cpms/project-service/v1',
  zone: 'home',
  permissions: ['projects.read', 'projects.edit'],
  errors,
  calls: {
    getApiService: {
      method: 'GET',
      path: '/api-service',
      who: 'cp',
      may: 'projects.read',
      summary: 'Which interfaces are open',
      query: shape(OfProject),
      answer: Apis,
    },
    setApiService: {
      method: 'PUT',
      path: '/api-service',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Opens and closes several interfaces at once; those not named stay',
      body: shape({
        ...OfProject,
        apis: Type.Array(shape({ apiId: ApiId, isEnabled: Type.Boolean() }), { minItems: 1, maxItems: 20 }),
      }),
      answer: Apis,
    },
  },
})
