import { type Contract, service } from '../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { limits, teamRoles } from './rules.ts'

const Role = oneOf(teamRoles)
const Roles = Type.Array(Role, { minItems: 1, maxItems: teamRoles.length, uniqueItems: true })

export const Team = shape({
  teamId: Id,
  name: text(limits.nameLength, 1),
  countryCode: Type.String({ pattern: '^[A-Z]{2}$', examples: ['CN'] }),
  siteId: integer(0, 99),
  leaderAccountId: Id,
  userType: integer(0, 9),
  createdAt: Instant,
  revision: Revision,
})

export const Member = shape({
  accountId: Id,
  loginName: text(254),
  name: text(64),
  status: oneOf(['active', 'suspended']),
  roles: list(Role),
  isLeader: flag(),
  joinedAt: Instant,
  revision: Revision,
})

export const teams = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.edit', 'teams.members', 'teams.delete'],
  errors: {
    tooManyTeams: [204110023, 422, 'An account can lead at most {limit} teams.'],
    tooManyMembers: [204110024, 422, 'A team has at most {limit} members.'],
    lastLeader: [204111001, 422, 'The leader cannot be removed or changed here; hand the team over first.'],
    aboveOwnRights: [204111002, 403, 'You cannot grant the roles {roles}: they hold rights that you do not.'],
    alreadyMember: [204111004, 409, '{loginName} is a member of this team already.'],
    teamInUse: [204111005, 422, 'The team still has {projects} projects; delete them first.'],
  },
  calls: {
    getUserInfo: {
      method: 'GET',
      path: '/user-info',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'The signed-in person, the teams, and what may be done in the chosen one',
      query: shape({ teamId: optional(Id) }),
      answer: shape({
        account: shape({
          accountId: Id,
          loginName: text(254),
          name: text(64),
          staffRoles: list(text(40)),
          verifyRealState: integer(0, 9),
        }),
        teams: list(
          shape({ teamId: Id, name: text(64), siteId: integer(0, 99), countryCode: text(2), isLeader: flag() }),
        ),
        teamId: nullable(Id),
        userRoles: list(text(40)),
        userPermission: Type.Record(Type.String(), Type.Literal('Y')),
        csrfToken: text(100),
        teamCsrfToken: nullable(text(100)),
        softExpireAt: Instant,
        hardExpireAt: Instant,
      }),
    },
    getUserPermission: {
      method: 'GET',
      path: '/user-permission',
      who: 'cp',
      may: 'none',
      summary: 'Roles and permissions of the caller in the team; only what is held, as Y',
      answer: shape({
        userRoles: list(text(40)),
        userPermission: Type.Record(Type.String(), Type.Literal('Y')),
        permVersion: integer(0, 2_147_483_647),
      }),
    },
    getTeam: {
      method: 'GET',
      path: '/team',
      who: 'cp',
      may: 'teams.read',
      summary: 'The team of the header',
      answer: Team,
    },
    createTeam: {
      method: 'POST',
      path: '/team',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Makes a team that the caller leads',
      body: shape({
        name: text(limits.nameLength, 1),
        countryCode: Type.String({ pattern: '^[A-Z]{2}$', examples: ['CN'] }),
        siteId: integer(1, 8),
      }),
      answer: Team,
    },
    updateTeam: {
      method: 'PUT',
      path: '/team',
      who: 'cp',
      may: 'teams.edit',
      summary: 'Renames the team',
      body: shape({ name: text(limits.nameLength, 1), revision: Revision }),
      answer: Team,
    },
    switchTeam: {
      method: 'POST',
      path: '/user-team-switch',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Makes another team the one that sign-in starts in',
      body: shape({ teamId: Id }),
      answer: shape({ teamId: Id, siteID: integer(0, 99), csrfToken: text(100) }),
    },
    listRoles: {
      method: 'GET',
      path: '/role',
      who: 'cp',
      may: 'teams.read',
      summary: 'The roles of a team and what each may do',
      answer: shape({ list: list(shape({ role: Role, builtIn: flag(), permissions: list(text(60)) })) }),
    },
    listPermissions: {
      method: 'GET',
      path: '/permission',
      who: 'cp',
      may: 'teams.read',
      summary: 'Every permission and the roles that hold it',
      answer: shape({ list: list(shape({ permission: text(60), roles: list(Role) })) }),
    },
    listMembers: {
      method: 'GET',
      path: '/sub-user',
      who: 'cp',
      may: 'teams.read',
      summary: 'Members with their roles, the leader first',
      query: shape({
        search: optional(text(64)),
        role: optional(Role),
        cursor: optional(text(200)),
        pageSize: optional(integer(1, 100)),
      }),
      answer: shape({ total: integer(0, 1000), list: list(Member), nextCursor: nullable(text(200)) }),
    },
    addMember: {
      method: 'POST',
      path: '/sub-user',
      who: 'cp',
      may: 'teams.members',
      transaction: false,
      summary: 'Adds a member; an account that does not exist is made with a first password, told once',
      body: shape({ loginName: text(254, 3), name: text(64, 1), roles: Roles }),
      answer: shape({ member: Member, firstPassword: nullable(text(64)) }),
    },
    updateMember: {
      method: 'PUT',
      path: '/sub-user',
      who: 'cp',
      may: 'teams.members',
      summary: 'Changes the roles of a member, suspends or restores',
      body: shape({
        accountId: Id,
        roles: optional(Roles),
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
  },
})

/** The second generation of the same calls. */
export const teamsV2: Contract<typeof teams.calls, typeof teams.errors> = { ...teams, prefix: '/ups/v2' }
