import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { zoneIds } from '../../../../kernel/zones.ts'
import { errors, Name, Permissions, permissions, Scope } from '../contract.ts'

export const GrantRecord = shape({
  grantId: Id,
  clientId: Id,
  clientName: Name,
  clientTeamId: Id,
  /** The team that gave. */
  teamId: Id,
  isOwnTeam: flag(),
  isGiven: flag(),
  permissions: list(text(60)),
  scope: Scope,
  grantedBy: shape({ accountId: Id, name: text(100) }),
  grantedAt: Instant,
  endedAt: nullable(Instant),
})
const Token = text(2_000, 1)

export const clientGrantCalls = service({
  name: 'ground/api-clients',
  prefix: '/aps/api-permission-service/v1',
  zone: 'home',
  permissions,
  errors,
  calls: {
    listGrantRecords: {
      method: 'GET',
      path: '/cp/client/grant/record',
      who: 'cp',
      may: 'apiClients.read',
      summary:
        'Who granted which client what, and when: what the team gave, and what its clients got; the newest first',
      query: shape({ clientId: optional(Id), isLive: optional(flag()), ...PageQuery }),
      answer: pageOf(GrantRecord),
    },
    listGrantResources: {
      method: 'GET',
      path: '/grant/resource/list',
      who: 'cp',
      may: 'apiClients.read',
      summary:
        'What may be granted: every permission of the team with whether the caller holds it, the zones, the projects',
      query: shape({ search: optional(text(64)), ...PageQuery }),
      answer: shape({
        permissions: list(shape({ permission: text(60), group: text(40) })),
        zones: list(oneOf(zoneIds)),
        projects: pageOf(shape({ projectId: Id, name: text(100), zone: oneOf(zoneIds) })),
      }),
    },
    getGrantUrl: {
      method: 'GET',
      path: '/client/grant/url',
      who: 'cp',
      may: 'apiClients.edit',
      summary:
        'A signed address, good for a day and once, at which the leader of another team lets a client into his team',
      query: shape({ clientId: Id, permissions: text(2_000, 1) }),
      answer: shape({ url: text(3_000), expiresAt: Instant }),
    },
    readGrantRequest: {
      method: 'GET',
      path: '/client/grant/request',
      who: 'cp',
      may: 'apiClients.grant',
      summary: 'What such an address asks for',
      query: shape({ token: Token }),
      answer: shape({
        clientId: Id,
        clientName: Name,
        clientTeamId: Id,
        clientTeamName: text(100),
        permissions: list(text(60)),
        expiresAt: Instant,
      }),
    },
    acceptGrant: {
      method: 'POST',
      path: '/client/grant',
      who: 'cp',
      may: 'apiClients.grant',
      summary: 'Lets a client of another team do some of what it asked for, in the projects that are named',
      body: shape({ token: Token, permissions: Permissions, scope: Scope }),
      answer: GrantRecord,
    },
    endGrant: {
      method: 'DELETE',
      path: '/client/grant',
      who: 'cp',
      may: 'apiClients.grant',
      summary: 'Takes back what a client of another team was granted; its tokens for this team end within a second',
      query: shape({ grantId: Id }),
    },
  },
})
