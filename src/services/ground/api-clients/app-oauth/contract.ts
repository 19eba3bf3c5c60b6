import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  list,
  nullable,
  oneOf,
  optional,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { errors, Name, permissions, Secret } from '../contract.ts'
import { appScopes, limits } from '../rules.ts'

const Redirects = Type.Array(text(500, 1), { maxItems: limits.redirects, uniqueItems: true })
const Scopes = Type.Array(oneOf(appScopes), { minItems: 1, uniqueItems: true })

export const OauthClient = shape({
  clientId: Id,
  appId: Id,
  name: Name,
  redirectUris: list(text(500)),
  scopes: list(oneOf(appScopes)),
  isPublic: flag(),
  state: oneOf(['ACTIVE', 'DISABLED']),
  secrets: list(shape({ prefix: text(20), createdAt: Instant, expiresAt: nullable(Instant) })),
  lastUsedAt: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})
const Shown = shape({ client: OauthClient, clientSecret: nullable(Secret) })

export const appOauth = service({
  name: 'ground/api-clients',
  prefix: '/cpms/oauth_management/v1',
  zone: 'home',
  permissions,
  errors,
  calls: {
    listAppClients: {
      method: 'GET',
      path: '/app/oauth',
      who: 'cp',
      may: 'apiClients.read',
      summary: 'The OAuth clients of an app',
      query: shape({ appId: Id }),
      answer: shape({ list: list(OauthClient) }),
    },
    createAppClient: {
      method: 'POST',
      path: '/app/oauth',
      who: 'cp',
      may: 'apiClients.edit',
      transaction: false,
      summary: 'Makes an OAuth client of an app; one that runs on devices is public and has no secret',
      body: shape({ appId: Id, name: Name, redirectUris: Redirects, scopes: Scopes, isPublic: optional(flag()) }),
      answer: Shown,
    },
    updateAppClient: {
      method: 'PUT',
      path: '/app/oauth',
      who: 'cp',
      may: 'apiClients.edit',
      transaction: false,
      summary: 'Changes an OAuth client of an app, or gives it a new secret',
      body: shape({
        appId: Id,
        clientId: Id,
        revision: Revision,
        action: optional(oneOf(['enable', 'disable', 'rotate'])),
        overlapHours: optional(Type.Integer({ minimum: 0, maximum: limits.overlapHours })),
        name: optional(Name),
        redirectUris: optional(Redirects),
        scopes: optional(Scopes),
      }),
      answer: Shown,
    },
    deleteAppClient: {
      method: 'DELETE',
      path: '/app/oauth',
      who: 'cp',
      may: 'apiClients.edit',
      summary: 'Deletes an OAuth client of an app',
      query: shape({ appId: Id, clientId: Id }),
    },
  },
})
