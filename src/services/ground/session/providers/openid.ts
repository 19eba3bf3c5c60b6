import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { Outbound } from '../../../../server/outbound.ts'
import { OutsideError } from '../../../../server/outside/outside-error.ts'
import type { identityProviders } from '../tables.home.ts'
import { providerCalls } from './contract.ts'

export type ProviderRow = typeof identityProviders.$inferSelect
type Wanted = Pick<ProviderRow, 'issuer' | 'clientId'> & { secret: string }

const timeoutMs = 10_000
const limitBytes = 1_048_576

/** Where providers send browsers back to; made from the configured address, never from a header. */
export const redirectUriOf = (ctx: Context) => `${ctx.server.config.publicUrl}/oauth2/v1/login/provider/callback`

export const sealProviderSecret = (ctx: Context, providerId: string, issuer: string, secret: string) =>
  ctx.server.masterKey.seal('identity provider', `${providerId} ${issuer}`, secret)

export const openProviderSecret = (ctx: Context, row: ProviderRow) =>
  ctx.server.masterKey.open('identity provider', `${row.providerId} ${row.issuer}`, row.clientSecret)

/** Every request to a provider goes through the one guard for addresses that people gave. */
const guardedFetch =
  (outbound: Outbound): CustomFetch =>
  async (address, options) => {
    const { status, headers, body } = await outbound.fetch(address, {
      method: options.method as 'GET' | 'POST',
      headers: options.headers,
      ...(options.body == null ? {} : { body: String(options.body) }),
      limitBytes,
      timeoutMs,
      ...(options.signal ? { signal: options.signal } : {}),
    })
    const { 'content-encoding': _encoding, 'content-length': _length, ...plain } = headers
    return new Response(status === 204 ? null : Buffer.concat(await body.toArray()), { status, headers: plain })
  }

/** Reads the provider's metadata; its issuer must be the one that was given. Refuses with what was wrong. */
export async function discover(ctx: Context, { issuer, clientId, secret }: Wanted): Promise<Configuration> {
  const url = new URL(issuer)
  const isNamed = ctx.server.config.outboundAllow.includes(url.host)
  if (url.protocol === 'http:' && !isNamed) refuse(providerCalls.errors.providerUnreachable, { reason: 'not https' })
  try {
    return await discovery(url, clientId, undefined, ClientSecretBasic(secret), {
      customFetch: guardedFetch(ctx.server.outbound),
      timeout: timeoutMs / 1000,
      // By itself the library trusts what came over TLS; an operator's http provider has none.
      execute: [enableNonRepudiationChecks, ...(isNamed ? [allowInsecureRequests] : [])],
    } as Parameters<typeof discovery>[4])
  } catch (error) {
    ctx.log.info({ issuer, reason: (error as Error).message }, 'a provider could not be read')
    refuse(providerCalls.errors.providerUnreachable, { reason: reasonOf(error as Error) })
  }
}

/** Two words for people, and no more: the difference between a closed port and a slow one is nobody's business. */
function reasonOf(error: Error): string {
  return error instanceof OutsideError || error.cause instanceof OutsideError ? 'no answer' : 'wrong metadata'
}

/** The address to send the browser to, and what must be remembered until it comes back. */
export async function beginAt(ctx: Context, row: ProviderRow, isProofWanted: boolean) {
  const configuration = await discover(ctx, { ...row, secret: openProviderSecret(ctx, row) })
  const verifier = randomPKCECodeVerifier()
  const state = randomState()
  const nonce = randomNonce()
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUriOf(ctx),
    scope: row.scopes,
    response_type: 'code',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(isProofWanted ? { prompt: 'login', max_age: '0' } : {}),
  })
  return { url: url.href, verifier, state, nonce }
}

export interface ProvenIdentity {
  issuer: string
  subject: string
  /** For people to read; nothing is decided by it. */
  label: string
}

/** Exchanges the code and checks the ID token: signature, issuer, audience, nonce, times. Null when anything is wrong. */
export async function finishAt(
  ctx: Context,
  row: ProviderRow,
  search: string,
  kept: { verifier: string; state: string; nonce: string; isProofWanted: boolean },
): Promise<ProvenIdentity | null> {
  const configuration = await discover(ctx, { ...row, secret: openProviderSecret(ctx, row) })
  try {
    const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUriOf(ctx)}${search}`), {
      pkceCodeVerifier: kept.verifier,
      expectedState: kept.state,
      expectedNonce: kept.nonce,
      idTokenExpected: true,
      ...(kept.isProofWanted ? { maxAge: 300 } : {}),
    })
    const claims = tokens.claims()
    if (!claims) return null
    const named = [claims['preferred_username'], claims['email'], claims['name'], claims.sub]
    const label = named.find((one): one is string => typeof one === 'string' && one !== '') ?? claims.sub
    return { issuer: claims.iss, subject: claims.sub, label: label.slice(0, 254) }
  } catch (error) {
    ctx.log.info({ issuer: row.issuer, reason: (error as Error).message }, 'a provider sign-in was refused')
    return null
  }
}
