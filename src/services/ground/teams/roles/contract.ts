import { type Contract, service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { RoleKey } from '../contract.ts'
import { limits, teamRoles } from '../rules.ts'

const Permissions = Type.Array(text(60, 1), { minItems: 1, maxItems: 500, uniqueItems: true })
const BasedOn = oneOf(teamRoles)

export const Role = shape({
  role: RoleKey,
  /** Null for a built-in role, which pages name in their own language. */
  name: nullable(text(limits.nameLength)),
  description: text(300),
  builtIn: flag(),
  basedOn: nullable(BasedOn),
  permissions: list(text(60)),
  /** How many members hold it, those that are suspended as well. */
  members: integer(0, 1_000_000),
  revision: integer(0, 2_147_483_647),
  allowedActions: list(oneOf(['edit', 'delete'])),
})

export const roles = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.roles'],
  errors: {
    tooManyRoles: [204110025, 422, 'A team has at most {limit} roles of its own.'],
    roleNameTaken: [204111010, 409, 'The team has a role {name} already.'],
    roleInUse: [204111011, 422, 'The role is held by {members} members and {invitations} open invitations.'],
  },
  calls: {
    listRoles: {
      method: 'GET',
      path: '/role',
      who: 'cp',
      may: 'teams.read',
      summary: 'The roles of a team, built-in and its own, and what each may do',
      answer: shape({ list: list(Role) }),
    },
    createRole: {
      method: 'POST',
      path: '/role',
      who: 'cp',
      may: 'teams.roles',
      summary: 'Makes a role of the team; nobody puts in what he does not hold',
      body: shape({
        name: text(limits.nameLength, 1),
        description: optional(text(300)),
        basedOn: optional(BasedOn),
        permissions: Permissions,
      }),
      answer: Role,
    },
    updateRole: {
      method: 'PUT',
      path: '/role',
      who: 'cp',
      may: 'teams.roles',
      summary: 'Changes a role of the team, for all who hold it within a second',
      body: shape({
        roleId: Id,
        name: optional(text(limits.nameLength, 1)),
        description: optional(text(300)),
        permissions: optional(Permissions),
        revision: Revision,
      }),
      answer: Role,
    },
    deleteRole: {
      method: 'DELETE',
      path: '/role',
      who: 'cp',
      may: 'teams.roles',
      summary: 'Deletes a role of the team that nobody holds',
      query: shape({ roleId: Id }),
    },
    listPermissions: {
      method: 'GET',
      path: '/permission',
      who: 'cp',
      may: 'teams.read',
      summary: 'Every permission with its group, whether it is dangerous, and the built-in roles that hold it',
      answer: shape({
        list: list(shape({ permission: text(60), group: text(40), dangerous: flag(), roles: list(oneOf(teamRoles)) })),
      }),
    },
  },
})

/** The second generation of the same calls. */
export const rolesV2: Contract<typeof roles.calls, typeof roles.errors> = { ...roles, prefix: '/ups/v2' }
