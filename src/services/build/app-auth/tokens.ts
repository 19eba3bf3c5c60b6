import { decodeProtectedHeader, type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { type ZoneId, zones } from '../../../kernel/zones.ts'
import { signingAlgorithm } from '../../../server/key-ring.ts'
import type { Server } from '../../../server/server.ts'
import { appUserKeys } from './key-ring.ts'

/** What kind a token is stands in its header, so that none passes for another. */
export const tokenTypes = { client: 'client+jwt', user: 'user+jwt', id: 'JWT' } as const
export type TokenType = keyof typeof tokenTypes

const lengthMost = 8192
/** Of seconds, for clocks that differ. */
const tolerance = 5

/** Made from the configured address, never from what a request names as its host. */
export const issuerOf = (server: Server, zone: ZoneId) => `${server.config.publicUrl}/${zones[zone].slug}/app-auth`

/** Signs a token of a zone; `jti` is the id of the signing moment. An ID token is for a client, every other for its project. */
export async function signToken(
  server: Server,
  zone: ZoneId,
  type: TokenType,
  wanted: { projectId: string; subject: string; seconds: number; claims: Record<string, unknown> },
): Promise<string> {
  const { kid, privateKey } = await appUserKeys.of(server, zone).signer()
  const now = Math.floor(server.clock.now() / 1000)
  return new SignJWT(wanted.claims)
    .setProtectedHeader({ alg: signingAlgorithm, kid, typ: tokenTypes[type] })
    .setIssuer(issuerOf(server, zone))
    .setAudience(wanted.projectId)
    .setSubject(wanted.subject)
    .setJti(server.ids.next())
    .setIssuedAt(now)
    .setExpirationTime(now + wanted.seconds)
    .sign(privateKey)
}

export type Proven = JWTPayload & { sub: string; aud: string; exp: number; iat: number; jti: string }

/** Proves a token of one of the zones that this process serves: its claims, `expired`, or null for every other. */
export async function proveToken(server: Server, type: TokenType, token: string): Promise<Proven | 'expired' | null> {
  const zone = zoneOfToken(server, type, token)
  if (!zone) return null
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = typeof kid === 'string' ? await appUserKeys.of(server, zone).verifier(kid) : null
        if (!key) throw new joseErrors.JWKSNoMatchingKey()
        return key
      },
      {
        algorithms: [signingAlgorithm],
        typ: tokenTypes[type],
        issuer: issuerOf(server, zone),
        currentDate: new Date(server.clock.now()),
        clockTolerance: tolerance,
        requiredClaims: ['exp', 'iat', 'jti', 'sub', 'aud'],
      },
    )
    const { sub, aud, exp, iat, jti } = payload
    const isWhole =
      [sub, aud, jti].every(one => typeof one === 'string' && /^[1-9][0-9]{0,18}$/.test(one)) &&
      typeof exp === 'number' &&
      typeof iat === 'number'
    return isWhole ? (payload as Proven) : null
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) return 'expired'
    if (error instanceof joseErrors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}

/** The zone that a token says it is of; nothing of it is believed yet. */
function zoneOfToken(server: Server, type: TokenType, token: string): ZoneId | null {
  if (token.length > lengthMost) return null
  try {
    if (decodeProtectedHeader(token).typ !== tokenTypes[type]) return null
    const claimed: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const issuer = (claimed as { iss?: unknown } | null)?.iss
    return server.config.zones.find(zone => issuerOf(server, zone) === issuer) ?? null
  } catch {
    return null
  }
}

/**
 * A refresh token: its family, the generation, and a sum under the master key. The successor follows from them, so fifty
 * that refresh at once get one and the same.
 */
export function refreshTokenOf(server: Server, familyId: string, generation: number): string {
  const body = `${familyId}.${generation}`
  return `${body}.${server.masterKey.sign('app user refresh', body)}`
}

/** What a refresh token names, or null for one that was not made here. */
export function readRefreshToken(server: Server, token: string): { familyId: string; generation: number } | null {
  const found = /^([1-9][0-9]{0,18})\.(0|[1-9][0-9]{0,8})\.([A-Za-z0-9_-]{43})$/.exec(token)
  if (!found) return null
  const [, familyId = '', generation = '', sum = ''] = found
  if (!server.masterKey.verify('app user refresh', `${familyId}.${generation}`, sum)) return null
  return { familyId, generation: Number(generation) }
}
