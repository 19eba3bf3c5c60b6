import { service } from '../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  text,
} from '../../../kernel/shape.ts'
import { zoneIds } from '../../../kernel/zones.ts'
import { projectLimits, projectSorts } from './rules.ts'

const Zone = oneOf(zoneIds as ['CN', ...typeof zoneIds])
const Count = integer(0, Number.MAX_SAFE_INTEGER)

export const Project = shape({
  projectId: Id,
  teamId: Id,
  name: text(projectLimits.nameLength, 1),
  zone: Zone,
  siteId: integer(1, 8),
  description: text(500),
  appCount: Count,
  /** Read-only, made to be looked at. */
  isDemo: flag(),
  createdBy: Id,
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

const permissions = ['projects.read', 'projects.create', 'projects.edit', 'projects.delete'] as const

export const projects = service({
  name: 'ground/projects',
  prefix: '/cpms/project-management-service/v1',
  zone: 'home',
  permissions,
  errors: {
    nameTaken: [201030001, 409, 'The team has a project {name} already; choose another name.'],
    tooManyProjects: [201030002, 422, 'A team has at most {limit} projects; delete one first.'],
    hasApps: [201030003, 422, 'The project still has {apps} apps; delete or move them first.'],
  },
  calls: {
    listProjects: {
      method: 'GET',
      path: '/projectList',
      who: 'cp',
      may: 'projects.read',
      summary: 'Projects of the team over all zones, the newest first unless sorted',
      query: shape({
        ...PageQuery,
        search: optional(text(projectLimits.nameLength)),
        zone: optional(Zone),
        sort: optional(oneOf(projectSorts)),
      }),
      answer: pageOf(Project),
    },
    createProject: {
      method: 'POST',
      path: '/projects',
      who: 'cp',
      may: 'projects.create',
      summary: 'Makes a project whose data stays in one zone, the team’s unless said',
      body: shape({ name: text(projectLimits.nameLength, 1), zone: optional(Zone) }),
      answer: Project,
    },
    getProject: {
      method: 'GET',
      path: '/projects',
      who: 'cp',
      may: 'projects.read',
      summary: 'One project',
      query: shape({ projectId: Id }),
      answer: Project,
    },
    updateProject: {
      method: 'PUT',
      path: '/projects',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Renames a project',
      body: shape({ projectId: Id, name: text(projectLimits.nameLength, 1), revision: Revision }),
      answer: Project,
    },
    deleteProject: {
      method: 'DELETE',
      path: '/projects',
      who: 'cp',
      may: 'projects.delete',
      summary: 'Deletes a project that has no apps',
      query: shape({ projectId: Id }),
    },
  },
})

const HomeItem = shape({
  entityId: Id,
  appId: Id,
  appName: text(200),
  projectId: nullable(Id),
  zone: Zone,
  at: Instant,
})

const aggregate = {
  method: 'GET',
  path: '/homepage/aggregate',
  who: 'cp',
  may: 'projects.read',
  summary: 'The team for its home page: numbers, what waits for somebody, what was released',
  answer: shape({
    projects: Count,
    apps: Count,
    members: Count,
    storedObjects: Count,
    storedBytes: Count,
    failedPackages: shape({ total: Count, list: list(HomeItem) }),
    openTasks: shape({
      total: Count,
      list: list(shape({ ...HomeItem.properties, need: oneOf(['fix', 'answer', 'release']) })),
    }),
    recentReleases: shape({ total: Count, list: list(HomeItem) }),
  }),
} as const

const delegates = <const Prefix extends string>(prefix: Prefix) =>
  service({
    name: 'ground/projects',
    prefix,
    zone: 'home',
    permissions: ['projects.read'],
    errors: {},
    calls: { getAggregate: aggregate },
  })

export const dgsDelegates = delegates('/dgs/delegate-services/v1')
export const cpmsDelegates = delegates('/cpms/delegate-services/v1')
