import { service } from '../../../../kernel/contract.ts'
import { AnyJson, optional, Type } from '../../../../kernel/shape.ts'

/** Forms may have fields that nobody here knows; a standard wants them left alone. */
const form = <P extends Record<string, ReturnType<typeof Type.String>>>(fields: P) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, optional(Type.Union([field, Type.Array(field)]))]),
    ),
    { additionalProperties: true },
  )
const Text = Type.String({ maxLength: 16_384 })
const Anything = Type.Object({}, { additionalProperties: true })
const open = { who: 'anonymous', may: 'none', kind: 'standard' } as const

/** What RFC 6749, 7009, 7523, 7662 and 8414 name; the errors are theirs too. */
export const tokenCalls = service({
  name: 'ground/api-clients',
  prefix: '/oauth2/v1',
  zone: 'home',
  permissions: [],
  errors: {},
  calls: {
    issueToken: {
      ...open,
      method: 'POST',
      path: '/token',
      bodyLimit: 32_768,
      summary: 'A token for a client: grant_type client_credentials, by secret (basic, post) or signed assertion',
      body: form({ grant_type: Text, scope: Text, client_id: Text, client_assertion_type: Text }),
      answer: Anything,
    },
    revokeToken: {
      ...open,
      method: 'POST',
      path: '/revoke',
      bodyLimit: 32_768,
      summary: 'Ends an own token within a second',
      body: form({ token: Text }),
      answer: Anything,
    },
    introspectToken: {
      ...open,
      method: 'POST',
      path: '/introspect',
      bodyLimit: 32_768,
      summary: 'Whether an own token is good, and for what',
      body: form({ token: Text }),
      answer: Anything,
    },
    getKeySet: {
      ...open,
      method: 'GET',
      path: '/certs',
      rate: 'device',
      summary: 'The public keys that tokens are verified with',
      answer: Type.Object({ keys: Type.Array(AnyJson) }),
    },
  },
})

/** The same token for tools of the field, which send JSON and look for `ret`. */
export const tokenAsJson = service({
  name: 'ground/api-clients',
  prefix: '/api/oauth2/v1',
  zone: 'home',
  permissions: [],
  errors: { noToken: [201120010, 401, 'No token: {reason}.'] },
  calls: {
    issueTokenAsJson: {
      ...open,
      method: 'POST',
      path: '/token',
      bodyLimit: 32_768,
      summary: 'A token for a client by its secret, asked for in JSON',
      body: Type.Object({ grant_type: Text, client_id: Text, client_secret: Text }, { additionalProperties: true }),
      answer: Anything,
    },
  },
})

export const discovery = service({
  name: 'ground/api-clients',
  prefix: '/.well-known',
  zone: 'home',
  permissions: [],
  errors: {},
  calls: {
    getOpenidConfiguration: {
      ...open,
      method: 'GET',
      path: '/openid-configuration',
      rate: 'device',
      summary: 'Where the endpoints are and what they can do, as OpenID clients look for it',
      answer: Anything,
    },
    getServerMetadata: {
      ...open,
      method: 'GET',
      path: '/oauth-authorization-server',
      rate: 'device',
      summary: 'The same, as RFC 8414 names it',
      answer: Anything,
    },
  },
})
