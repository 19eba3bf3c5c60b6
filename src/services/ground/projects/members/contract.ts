import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { zoneIds } from '../../../../kernel/zones.ts'
import { Project } from '../contract.ts'
import { projectLimits } from '../rules.ts'
import { settingsLimits } from '../settings/rules.ts'
import { projectRoles } from './rules.ts'

const Role = oneOf(projectRoles)
const Name = text(projectLimits.nameLength, 1)
const Description = text(settingsLimits.description)
const Member = shape({
  projectId: Id,
  accountId: Id,
  name: text(200),
  role: Role,
  addedBy: Id,
  addedAt: Instant,
  revision: Revision,
})
const DevProject = shape({
  ...Project.properties,
  description: Description,
  memberCount: integer(0, 10_000),
  role: nullable(Role),
})

/** Projects with the people who answer for them. */
export const devProjects = service({
  name: 'ground/projects',
  prefix: '/cpms/project-management-service/v1',
  zone: 'home',
  permissions: ['projects.read', 'projects.create', 'projects.edit', 'projects.delete'],
  errors: {
    notOfTeam: [201030030, 422, 'The account {accountId} is no active member of the team; invite it first.'],
    alreadyMember: [201030031, 409, 'The account {accountId} is in the project already.'],
    lastOwner: [201030032, 422, 'The project needs an owner; make somebody else one first.'],
    tooManyProjectMembers: [201030033, 422, 'A project has at most {limit} members.'],
  },
  calls: {
    getDevProject: {
      method: 'GET',
      path: '/devproject',
      who: 'cp',
      may: 'projects.read',
      summary: 'One project with its people, or the projects that the caller is in',
      query: shape({ projectId: optional(Id), ...PageQuery }),
      answer: shape({ total: integer(0, 1_000_000), list: list(DevProject), nextCursor: nullable(text(200)) }),
    },
    createDevProject: {
      method: 'POST',
      path: '/devproject',
      who: 'cp',
      may: 'projects.create',
      summary: 'Makes a project whose owner is the caller',
      body: shape({
        name: Name,
        description: optional(Description),
        zone: optional(oneOf(zoneIds as ['CN', ...typeof zoneIds])),
      }),
      answer: DevProject,
    },
    updateDevProject: {
      method: 'PUT',
      path: '/devproject',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Changes name and description',
      body: shape({ projectId: Id, name: Name, description: optional(Description), revision: Revision }),
      answer: DevProject,
    },
    deleteDevProject: {
      method: 'DELETE',
      path: '/devproject',
      who: 'cp',
      may: 'projects.delete',
      summary: 'Deletes a project that has no apps, with what belongs to it',
      query: shape({ projectId: Id }),
    },
    listProjectMembers: {
      method: 'GET',
      path: '/devproject/members',
      who: 'cp',
      may: 'projects.read',
      summary: 'The people of a project',
      query: shape({ projectId: Id }),
      answer: shape({ total: integer(0, 10_000), list: list(Member) }),
    },
    addProjectMembers: {
      method: 'POST',
      path: '/devproject/members',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Puts members of the team into a project',
      body: shape({
        projectId: Id,
        members: Type.Array(shape({ accountId: Id, role: Role }), { minItems: 1, maxItems: 50 }),
      }),
      answer: shape({ total: integer(0, 10_000), list: list(Member) }),
    },
    changeProjectMember: {
      method: 'PUT',
      path: '/devproject/members',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Gives somebody another part in a project',
      body: shape({ projectId: Id, accountId: Id, role: Role, revision: Revision }),
      answer: Member,
    },
    removeProjectMember: {
      method: 'DELETE',
      path: '/devproject/members',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Takes somebody out of a project; the team keeps them',
      query: shape({ projectId: Id, accountId: Id }),
    },
  },
})
