import { sheetFormats } from '../../../../kernel/cells.ts'
import { type Contract, service } from '../../../../kernel/contract.ts'
import { languages } from '../../../../kernel/language.ts'
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
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { RoleKey, Roles, Scope } from '../contract.ts'
import { memberLifeCycle } from '../rules.ts'

export const Member = shape({
  accountId: Id,
  loginName: text(254),
  name: text(64),
  status: oneOf([...memberLifeCycle.states]),
  roles: list(RoleKey),
  scope: Scope,
  isLeader: flag(),
  joinedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(['change', 'suspend', 'restore', 'remove', 'leave'])),
})

const Filters = {
  search: optional(text(64)),
  role: optional(RoleKey),
  status: optional(oneOf([...memberLifeCycle.states])),
}

export const members = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.members'],
  errors: {
    tooManyMembers: [204110024, 422, 'A team has at most {limit} members.'],
    lastLeader: [204111001, 422, 'The leader cannot leave or be changed here; hand the team over first.'],
    aboveOwnRights: [204111002, 403, 'You cannot grant or take what you do not hold yourself: {lacked}.'],
    alreadyMember: [204111004, 409, '{loginName} is a member of this team already.'],
    hasAccount: [204111007, 409, '{loginName} has an account already; send an invitation instead.'],
  },
  calls: {
    listMembers: {
      method: 'GET',
      path: '/sub-user',
      who: 'cp',
      may: 'teams.read',
      summary: 'Members with their roles, the leader first; removed ones only when asked for',
      query: shape({ ...PageQuery, ...Filters }),
      answer: shape({
        /** Counted up to 10,000. */
        total: integer(0, 10_001),
        list: list(Member),
        nextCursor: nullable(text(200)),
      }),
    },
    exportMembers: {
      method: 'GET',
      path: '/sub-user/export',
      who: 'cp',
      may: 'teams.read',
      kind: 'download',
      summary: 'The members of the list as a CSV or XLSX file',
      query: shape({ format: oneOf(sheetFormats), language: optional(oneOf(languages)), ...Filters }),
    },
    addMember: {
      method: 'POST',
      path: '/sub-user',
      who: 'cp',
      may: 'teams.members',
      transaction: false,
      summary: 'Makes an account with a first password, told once, and a member of it; who has one is invited instead',
      body: shape({ loginName: text(254, 3), name: text(64, 1), roles: Roles, scope: optional(Scope) }),
      answer: shape({ member: Member, firstPassword: nullable(text(64)) }),
    },
    updateMember: {
      method: 'PUT',
      path: '/sub-user',
      who: 'cp',
      may: 'teams.members',
      summary: 'Changes roles and scope of a member, suspends or restores',
      body: shape({
        accountId: Id,
        roles: optional(Roles),
        scope: optional(Scope),
        status: optional(oneOf(['active', 'suspended'])),
        revision: Revision,
      }),
      answer: Member,
    },
    removeMember: {
      method: 'DELETE',
      path: '/sub-user',
      who: 'cp',
      may: 'teams.members',
      summary: 'Removes a member; the right ends within a second everywhere',
      query: shape({ accountId: Id }),
    },
    leaveTeam: {
      method: 'DELETE',
      path: '/sub-user/self',
      who: 'cp',
      may: 'none',
      summary: 'Leaves the team; its leader cannot',
    },
    setUserPermission: {
      method: 'PUT',
      path: '/user-permission',
      who: 'cp',
      may: 'teams.members',
      summary: 'Says what a member may do, and with which projects and apps',
      body: shape({ accountId: Id, roles: Roles, scope: Scope, revision: Revision }),
      answer: Member,
    },
  },
})

/** The second generation of the same calls. */
export const membersV2: Contract<typeof members.calls, typeof members.errors> = { ...members, prefix: '/ups/v2' }
