import { createLocalJWKSet, type JSONWebKeySet, errors as joseErrors, jwtVerify } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client'
import type { Context } from '../../../../server/context.ts'
import { askProvider, type ProvenIdentity, refuseProof, textOf } from './proof.ts'

export interface OpenidSettings {
  issuer: string
  /** Several are separated by blanks: one an app of the project. */
  clientIds: string
  secret: string | null
}

const timeoutMs = 10_000
const limitBytes = 1_048_576
const keptMs = 10 * 60_000
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Every request to a provider goes through the one guard. */
const guardedFetch =
  (ctx: Context): CustomFetch =>
  async (address, options) => {
    const { status, headers, body } = await ctx.server.outbound.fetch(address, {
      method: options.method as 'GET' | 'POST',
      headers: options.headers,
      ...(options.body == null ? {} : { body: String(options.body) }),
      ...{ limitBytes, timeoutMs },
    })
    const { 'content-encoding': _encoding, 'content-length': _length, ...plain } = headers
    return new Response(status === 204 ? null : Buffer.concat(await body.toArray()), { status, headers: plain })
  }

const known = new Map<string, { at: number; configuration: Promise<Configuration>; keys?: Promise<JSONWebKeySet> }>()

/** The provider's metadata, kept for ten minutes; its issuer must be the one that was given. */
export async function configurationOf(ctx: Context, settings: OpenidSettings): Promise<Configuration> {
  return (await entryOf(ctx, settings)).configuration
}

async function entryOf(ctx: Context, { issuer, clientIds, secret }: OpenidSettings) {
  const key = JSON.stringify([issuer, clientIds, secret])
  const found = known.get(key)
  const now = performance.now()
  if (found && now - found.at < keptMs) return found
  if (known.size > 500) known.clear()
  const isNamed = ctx.server.config.outboundAllow.includes(new URL(issuer).host)
  const configuration = discovery(
    new URL(issuer),
    clientIds.split(' ')[0] ?? '',
    undefined,
    secret === null ? None() : ClientSecretPost(secret),
    {
      customFetch: guardedFetch(ctx),
      timeout: timeoutMs / 1000,
      execute: [enableNonRepudiationChecks, ...(isNamed ? [allowInsecureRequests] : [])],
    } as Parameters<typeof discovery>[4],
  )
  const entry = { at: now, configuration }
  known.set(key, entry)
  try {
    await configuration
    return entry
  } catch (error) {
    known.delete(key)
    ctx.log.info({ issuer, reason: (error as Error).message }, 'a provider could not be read')
    return refuseProof('its metadata cannot be read')
  }
}

/**
 * Proves an ID token that an app got from the provider: signature, issuer, times, and that it was made for a client of
 * this project. A token of another app, or of another issuer with the same subject, is nobody here.
 */
export async function proveIdToken(ctx: Context, settings: OpenidSettings, token: string): Promise<ProvenIdentity> {
  const entry: Awaited<ReturnType<typeof entryOf>> & { keys?: Promise<JSONWebKeySet> } = await entryOf(ctx, settings)
  const { issuer, jwks_uri } = (await entry.configuration).serverMetadata()
  if (jwks_uri === undefined) refuseProof('it publishes no keys')
  for (let isAgain = false; ; isAgain = true) {
    entry.keys ??= askProvider(ctx, jwks_uri) as unknown as Promise<JSONWebKeySet>
    try {
      const { payload } = await jwtVerify(token, createLocalJWKSet(await entry.keys), {
        issuer,
        algorithms,
        audience: settings.clientIds.split(' ').filter(one => one !== ''),
        currentDate: new Date(ctx.now()),
        clockTolerance: 30,
        requiredClaims: ['sub', 'exp', 'iat', 'aud'],
      })
      const azp = payload['azp']
      const isOfOther = azp !== undefined && !settings.clientIds.split(' ').includes(String(azp))
      if (isOfOther) refuseProof('it was made for another app')
      return identityOf(issuer, payload)
    } catch (error) {
      // A key that was changed lately: the set is read anew, once.
      const isUnknownKey = error instanceof joseErrors.JWKSNoMatchingKey
      if (isUnknownKey && !isAgain) entry.keys = undefined as never
      else if (error instanceof joseErrors.JWTExpired) refuseProof('the ID token is over')
      else if (error instanceof joseErrors.JOSEError || error instanceof TypeError)
        refuseProof('the ID token is not right')
      else throw error
    }
  }
}

/** Exchanges an authorization code, with its PKCE verifier, and proves the ID token of the answer. */
export async function proveCode(
  ctx: Context,
  settings: OpenidSettings,
  sent: { code: string; redirectUri: string; codeVerifier: string; nonce?: string },
): Promise<ProvenIdentity> {
  const configuration = await configurationOf(ctx, settings)
  const url = new URL(sent.redirectUri)
  url.searchParams.set('code', sent.code)
  const { issuer } = configuration.serverMetadata()
  if (configuration.serverMetadata().authorization_response_iss_parameter_supported) url.searchParams.set('iss', issuer)
  try {
    const tokens = await authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: sent.codeVerifier,
      idTokenExpected: true,
      ...(sent.nonce === undefined ? {} : { expectedNonce: sent.nonce }),
    })
    const claims = tokens.claims()
    if (claims) return identityOf(issuer, claims)
  } catch (error) {
    ctx.log.info({ issuer, reason: (error as Error).message }, 'a provider refused a code')
  }
  return refuseProof('the code was not accepted')
}

function identityOf(issuer: string, claims: Record<string, unknown>): ProvenIdentity {
  const openId = textOf(claims['sub'], 255)
  if (openId === '' || openId !== claims['sub']) refuseProof('it names nobody')
  const email = claims['email_verified'] === true ? textOf(claims['email'], 254) : ''
  return {
    ...{ issuer, openId },
    displayName: textOf(claims['name'] ?? claims['preferred_username']),
    photoUrl: safeAddress(claims['picture']),
    email: email === '' ? null : email,
  }
}

/** An address of a picture: https, or none. */
export function safeAddress(value: unknown): string {
  const text = textOf(value, 1000)
  return text.startsWith('https://') && URL.canParse(text) ? text : ''
}
