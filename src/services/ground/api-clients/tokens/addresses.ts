import type { Config } from '../../../../server/config.ts'

/** Everything is made from the configured address, never from what a request names as its host. */
export const issuerOf = (config: Config): string => config.publicUrl
/** Who tokens of clients are for: the calls of this server. */
export const audienceOf = (config: Config): string => `${config.publicUrl}/api`
/** Who tokens of an app's clients are for; the calls of this server take none of them. */
export const audienceOfApp = (config: Config, appId: string): string => `${config.publicUrl}/apps/${appId}`
export const tokenUriOf = (config: Config): string => `${config.publicUrl}/oauth2/v1/token`

/** RFC 9068: an access token is no other kind of token. */
export const tokenType = 'at+jwt'
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** RFC 8414 and OpenID Connect Discovery. */
export function metadataOf(config: Config) {
  const at = (path: string) => `${config.publicUrl}/oauth2/v1/${path}`
  const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']
  const algorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA']
  return {
    issuer: issuerOf(config),
    token_endpoint: tokenUriOf(config),
    jwks_uri: at('certs'),
    revocation_endpoint: at('revoke'),
    introspection_endpoint: at('introspect'),
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    introspection_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_signing_alg_values_supported: algorithms,
  }
}
