import { type Contract, service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
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
} from '../../../../kernel/shape.ts'
import { RoleKey } from '../contract.ts'
import { Member } from '../members/contract.ts'

const ScopeThing = shape({
  kind: oneOf(['project', 'app']),
  id: Id,
  name: text(200),
  projectId: nullable(Id),
  zone: text(2),
})

const Reaching = shape({
  accountId: Id,
  name: text(64),
  loginName: text(254),
  roles: list(RoleKey),
  /** What lets the member reach the app. */
  via: oneOf(['all', 'project', 'app']),
  revision: integer(0, 2_147_483_647),
})

export const scopes = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.members'],
  errors: {
    scopeWider: [204111018, 422, 'The member reaches the app by {via}; change the scope of the member instead.'],
  },
  calls: {
    listScopes: {
      method: 'GET',
      path: '/scope/list',
      who: 'cp',
      may: 'teams.read',
      summary: 'Projects and apps that a scope can name, as far as the caller reaches himself',
      query: shape({
        ...PageQuery,
        kind: optional(oneOf(['project', 'app'])),
        search: optional(text(64)),
        ids: optional(text(2_000)),
      }),
      answer: pageOf(ScopeThing),
    },
    getAppPermission: {
      method: 'GET',
      path: '/app-permission',
      who: 'cp',
      may: 'teams.read',
      summary: 'The active members who reach an app, and by what',
      query: shape({ ...PageQuery, appId: Id }),
      answer: pageOf(Reaching),
    },
    setAppPermission: {
      method: 'PUT',
      path: '/app-permission',
      who: 'cp',
      may: 'teams.members',
      summary: 'Puts one app into the scope of a member, or takes it out',
      body: shape({ appId: Id, accountId: Id, isReached: flag(), revision: Revision }),
      answer: Member,
    },
  },
})

/** The second generation of the same calls. */
export const scopesV2: Contract<typeof scopes.calls, typeof scopes.errors> = { ...scopes, prefix: '/ups/v2' }
