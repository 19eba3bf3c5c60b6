import { type Contract, service } from '../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  optional,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { limits } from './rules.ts'

/** A built-in role's name, or the id of one of the team's own. */
export const RoleKey = pattern('^([a-z][A-Za-z]{1,39}|[1-9][0-9]{0,18})$', 40, 'developer')
export const Roles = Type.Array(RoleKey, { minItems: 1, maxItems: 20, uniqueItems: true })

/** The whole team (`all`), or projects with their apps and single apps. */
export const Scope = shape({
  all: optional(flag()),
  projects: optional(Type.Array(Id, { maxItems: limits.scopeProjects })),
  apps: optional(Type.Array(Id, { maxItems: limits.scopeApps })),
})

const Held = Type.Record(Type.String(), Type.Literal('Y'))
const Country = Type.String({ pattern: '^[A-Z]{2}$', examples: ['CN'] })

export const Team = shape({
  teamId: Id,
  name: text(limits.nameLength, 1),
  countryCode: Country,
  siteId: integer(0, 99),
  leaderAccountId: Id,
  userType: integer(0, 9),
  createdAt: Instant,
  revision: Revision,
})

const TeamInfo = shape({
  ...Team.properties,
  leaderName: text(64),
  description: text(500),
  contactEmail: text(254),
  permVersion: integer(1, 2_147_483_647),
  members: integer(0, 1_000_000),
  openInvitations: integer(0, 1_000),
  projects: integer(0, 1_000_000),
  apps: integer(0, 1_000_000),
  /** What a team may have at most. */
  limits: shape({
    members: integer(0, 1_000_000),
    roles: integer(0, 1_000),
    openInvitations: integer(0, 1_000),
    teamsOfAccount: integer(0, 1_000),
  }),
})

export const teams = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.edit', 'teams.delete'],
  errors: {
    tooManyTeams: [204110023, 422, 'An account can be in at most {limit} teams; leave one first.'],
    teamInUse: [204111005, 422, 'The team still has {projects} projects and {apps} apps; delete them first.'],
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
          shape({
            teamId: Id,
            name: text(64),
            siteId: integer(0, 99),
            countryCode: text(2),
            userType: integer(0, 9),
            isLeader: flag(),
          }),
        ),
        teamId: nullable(Id),
        userRoles: list(text(40)),
        userPermission: Held,
        csrfToken: text(100),
        teamCsrfToken: nullable(text(100)),
        softExpireAt: Instant,
        hardExpireAt: Instant,
      }),
    },
    updateUserInfo: {
      method: 'PUT',
      path: '/user-info',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Changes the name that others see of the signed-in person',
      body: shape({ name: text(64, 1) }),
      answer: shape({ accountId: Id, name: text(64) }),
    },
    getUserPermission: {
      method: 'GET',
      path: '/user-permission',
      who: 'cp',
      may: 'none',
      summary: 'Roles and permissions of the caller in the team; only what is held, as Y',
      answer: shape({
        userRoles: list(text(40)),
        userPermission: Held,
        scope: Scope,
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
      body: shape({ name: text(limits.nameLength, 1), countryCode: Country, siteId: integer(1, 8) }),
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
    deleteTeam: {
      method: 'DELETE',
      path: '/team',
      who: 'cp',
      may: 'teams.delete',
      summary: 'Deletes the team when it has no projects and apps; every right in it ends. Needs a fresh sign-in',
      query: shape({ revision: optional(Revision) }),
    },
    getTeamInfo: {
      method: 'GET',
      path: '/team-info',
      who: 'cp',
      may: 'teams.read',
      summary: 'The team with its description, its leader and how much of its limits is used',
      answer: TeamInfo,
    },
    updateTeamInfo: {
      method: 'PUT',
      path: '/team-info',
      who: 'cp',
      may: 'teams.edit',
      summary: 'Changes what is told of the team',
      body: shape({
        name: optional(text(limits.nameLength, 1)),
        description: optional(text(500)),
        contactEmail: optional(Type.String({ maxLength: 254, pattern: '^$|^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' })),
        countryCode: optional(Country),
        revision: Revision,
      }),
      answer: TeamInfo,
    },
    switchTeam: {
      method: 'POST',
      path: '/user-team-switch',
      who: 'cp',
      may: 'none',
      team: 'none',
      beforeSigning: true,
      summary: 'Acts for another team from here on, with the CSRF token for it; sign-in starts in it as well',
      body: shape({ teamId: Id }),
      answer: shape({ teamId: Id, siteID: integer(0, 99), csrfToken: text(100), teamCsrfToken: text(100) }),
    },
  },
})

/** The second generation of the same calls. */
export const teamsV2: Contract<typeof teams.calls, typeof teams.errors> = { ...teams, prefix: '/ups/v2' }
