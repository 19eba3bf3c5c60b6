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
  Type,
  text,
} from '../../../kernel/shape.ts'
import { zoneIds } from '../../../kernel/zones.ts'
import { clientActions, clientStates, limits } from './rules.ts'

export const errors = {
  tooManyClients: [201120001, 422, 'There are at most {limit} here; delete one first.'],
  aboveRights: [201120002, 403, 'You cannot grant what you do not hold yourself, nor what only persons do: {lacked}.'],
  noSecret: [201120003, 422, 'This client has no secret; it signs with a key, or runs where none can be kept.'],
  tooManyKeys: [201120004, 422, 'A client has at most {limit} keys; delete one first.'],
  keyKnown: [201120005, 409, 'This client has the key {kid} already.'],
  grantOver: [201120006, 422, 'This address has run out or was not made here; ask for a new one.'],
  grantUsed: [201120007, 409, 'This address was used already; ask for a new one.'],
  ownTeam: [201120008, 422, 'The client is of your own team; change its rights on its page.'],
  secretBusy: [201120009, 503, 'Too many secrets are being made; try again in {retryAfterSeconds} s.'],
} as const

export const permissions = ['apiClients.read', 'apiClients.own', 'apiClients.edit', 'apiClients.grant'] as const

export const Name = text(limits.nameLength, 1)
export const Permissions = Type.Array(text(60, 1), { minItems: 1, maxItems: limits.permissions, uniqueItems: true })
export const Zones = Type.Array(oneOf(zoneIds), { minItems: 1, maxItems: zoneIds.length, uniqueItems: true })
export const Scope = shape({
  all: optional(flag()),
  projects: optional(Type.Array(Id, { maxItems: 200 })),
  apps: optional(Type.Array(Id, { maxItems: 500 })),
})
/** Told once; afterwards nobody can read it. */
export const Secret = text(100)
export const LifeDays = integer(1, limits.lifeDays)

export const Client = shape({
  clientId: Id,
  name: Name,
  description: text(limits.descriptionLength),
  state: oneOf(['ACTIVE', 'DISABLED', 'EXPIRED']),
  permissions: list(text(60)),
  /** What of them works now: the one who granted them holds them still. */
  permissionsNow: list(text(60)),
  scope: Scope,
  zones: list(oneOf(zoneIds)),
  grantedBy: nullable(shape({ accountId: Id, name: text(100), isMember: flag() })),
  secrets: list(shape({ prefix: text(20), createdAt: Instant, expiresAt: nullable(Instant) })),
  keys: integer(0, limits.keysOfClient),
  expiresAt: nullable(Instant),
  lastUsedAt: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(text(20)),
})

const Description = text(limits.descriptionLength)
/** A revision in the address: what is deleted has no body. */
export const ClientQuery = { clientId: Id }

/** What both kinds of clients are made from and changed by. */
export const NewClient = shape({
  name: Name,
  description: optional(Description),
  permissions: Permissions,
  scope: optional(Scope),
  zones: optional(Zones),
  lifeDays: optional(LifeDays),
})
export const ChangedClient = shape({
  clientId: Id,
  revision: Revision,
  action: optional(oneOf(clientActions)),
  /** Of `rotate`: how long the secret before is good too; 0 ends it and every token at once. */
  overlapHours: optional(integer(0, limits.overlapHours)),
  name: optional(Name),
  description: optional(Description),
  permissions: optional(Permissions),
  scope: optional(Scope),
  zones: optional(Zones),
})
export const WithSecret = shape({ client: Client, clientSecret: nullable(Secret) })
export const ListQuery = shape({ search: optional(text(64)), state: optional(oneOf(clientStates)), ...PageQuery })

export const apiClients = service({
  name: 'ground/api-clients',
  prefix: '/aps/api-permission-service/v1',
  zone: 'home',
  permissions,
  errors,
  calls: {
    listClients: {
      method: 'GET',
      path: '/client-list',
      who: 'cp',
      may: 'apiClients.read',
      summary: 'The API clients of the team',
      query: ListQuery,
      answer: pageOf(Client),
    },
    getClient: {
      method: 'GET',
      path: '/client',
      who: 'cp',
      may: 'apiClients.read',
      summary: 'One API client',
      query: shape(ClientQuery),
      answer: Client,
    },
    createClient: {
      method: 'POST',
      path: '/client',
      who: 'cp',
      may: 'apiClients.edit',
      transaction: false,
      summary: 'Makes an API client with rights that its maker holds; the secret is told once',
      body: NewClient,
      answer: WithSecret,
    },
    updateClient: {
      method: 'PUT',
      path: '/client',
      who: 'cp',
      may: 'apiClients.edit',
      transaction: false,
      summary: 'Changes a client: its rights, its state, its secret; whoever changes rights answers for them',
      body: ChangedClient,
      answer: WithSecret,
    },
    deleteClient: {
      method: 'DELETE',
      path: '/client',
      who: 'cp',
      may: 'apiClients.edit',
      summary: 'Deletes a client; its tokens end within a second',
      query: shape(ClientQuery),
    },
    getClientBrief: {
      method: 'GET',
      path: '/cp/client/info/brief',
      who: 'cp',
      may: 'apiClients.read',
      summary: 'Name, team and state of a client: an own one, or one that was granted something here',
      query: shape(ClientQuery),
      answer: shape({ clientId: Id, name: Name, teamId: Id, teamName: text(100), state: text(20), isOwn: flag() }),
    },
  },
})
