import { type CallSpec, service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  optional,
  PageQuery,
  pageOf,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { functionErrors } from '../contract.ts'
import { aliasPattern, namePattern } from '../rules.ts'
import { groupLimits } from './rules.ts'

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit' } as const satisfies Partial<CallSpec>
const Name = text(groupLimits.name, 1, { pattern: '\\S', examples: ['Orders'] })
const Description = text(groupLimits.description)
const Members = list(Id, { minItems: 1, maxItems: groupLimits.members, uniqueItems: true })
const ReleaseNumber = integer(1, 2_147_483_647)
const one = shape({ serviceId: Id })

const Group = shape({
  serviceId: Id,
  projectId: Id,
  name: text(groupLimits.name),
  description: Description,
  aliasName: text(63),
  /** 0 until it was released. */
  releaseNumber: integer(0, 2_147_483_647),
  functions: list(
    shape({
      functionId: Id,
      functionName: text(63),
      /** Where the alias leads now; null where it is not there. */
      version: nullable(text(20)),
      /** The newest that is published; null where nothing is. */
      newest: nullable(text(20)),
      /** Somebody led the alias elsewhere since the release, or lets it share its calls. */
      isMoved: flag(),
    }),
  ),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

const Release = shape({
  number: ReleaseNumber,
  description: Description,
  versions: list(shape({ functionId: Id, functionName: text(63), version: text(20) })),
  ofNumber: nullable(ReleaseNumber),
  releasedAt: Instant,
  releasedBy: nullable(Id),
})

/** Groups of functions that are released together, all or none. */
export const functionGroups = service({
  name: 'build/functions',
  prefix: '/caas/function-manage/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: {
    noFunction: functionErrors.noFunction,
    noVersion: functionErrors.noVersion,
    canaryRuns: functionErrors.canaryRuns,
    tooMany: functionErrors.tooMany,
    noRelease: [210404006, 404, 'The group has no release {number}.'],
    versionGone: [210412007, 412, 'The function {name} has no version {version}; choose one that is published.'],
    neverPublished: [210412008, 412, 'Nothing of the function {name} is published; publish it first.'],
    groupTaken: [210409002, 409, 'There is a group {name} in this project; choose another name.'],
  },
  calls: {
    listServices: {
      ...read,
      method: 'GET',
      path: '/services',
      summary: 'Groups of functions of a project, the newest first',
      query: shape({ projectId: Id, keyword: optional(text(63)), ...PageQuery }),
      answer: pageOf(Group),
    },
    getService: {
      ...read,
      method: 'GET',
      path: '/service',
      summary: 'One group with its latest releases, the newest first',
      query: one,
      answer: shape({ service: Group, releases: list(Release) }),
    },
    createService: {
      ...edit,
      method: 'POST',
      path: '/service',
      summary: 'A new group; nothing is released with it',
      body: shape({
        projectId: Id,
        name: Name,
        description: optional(Description),
        aliasName: optional(pattern(aliasPattern, 63, 'live')),
        functionIds: Members,
      }),
      answer: shape({ serviceId: Id, service: Group }),
    },
    updateService: {
      ...edit,
      method: 'PUT',
      path: '/service',
      summary: 'Changes a group; aliases stay as they are until the next release',
      body: shape({
        serviceId: Id,
        revision: Revision,
        name: optional(Name),
        description: optional(Description),
        functionIds: optional(Members),
      }),
      answer: shape({ service: Group }),
    },
    deleteService: {
      ...edit,
      method: 'DELETE',
      path: '/service',
      summary: 'Deletes a group with its history; functions and aliases stay',
      query: one,
    },
    releaseService: {
      ...edit,
      method: 'POST',
      path: '/service/release',
      summary:
        'Leads the alias of every member at once: to named versions, to those of an older release, or to the newest',
      body: shape({
        serviceId: Id,
        revision: Revision,
        description: optional(Description),
        /** By name of function; a member that is not named keeps its version. */
        versions: optional(
          Type.Record(pattern(namePattern, 63, 'orders'), pattern('^[1-9][0-9]{0,8}$', 9, '3'), { minProperties: 1 }),
        ),
        /** Brings the versions of this release back. */
        releaseNumber: optional(ReleaseNumber),
      }),
      answer: shape({ service: Group, release: Release }),
    },
  },
})
