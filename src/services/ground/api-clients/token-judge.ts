import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Bearer, Gatekeeper, Membership, TokenJudged } from '../../../server/gatekeeper.ts'
import { signingAlgorithm } from '../../../server/key-ring.ts'
import type { Server } from '../../../server/server.ts'
import { ClientCache, type KnownClient } from './client-cache.ts'
import { tokenKeys } from './key-ring.ts'
import { allOf, isForPersons, limits, scopeNow } from './rules.ts'
import { audienceOf, issuerOf, tokenType } from './tokens/addresses.ts'

interface Claims {
  clientId: string
  teamId: string
  zone: ZoneId
  permissions: readonly string[]
  jti: string
  exp: number
}

/** A token whose signature was right: that stays so, the rest is asked each time. */
interface Proven {
  claims: Claims
  client?: KnownClient
  membership?: Membership
  bearer?: Bearer
}

const mostProven = 10_000
/** Of seconds, for clocks that differ. */
const tolerance = 5

/** Judges bearer tokens: a signature once, everything that can change with every call, and all of it from memory. */
export class TokenJudge {
  readonly #server: Server
  readonly #people: Pick<Gatekeeper, 'membershipOf'>
  readonly #clients: ClientCache
  readonly #proven = new Map<string, Proven>()

  constructor(server: Server, people: Pick<Gatekeeper, 'membershipOf'>) {
    this.#server = server
    this.#people = people
    this.#clients = new ClientCache(server)
  }

  listen(): void {
    this.#clients.listen()
    tokenKeys.of(this.#server).listen()
  }

  async judge(token: string): Promise<TokenJudged> {
    if (token.length > limits.tokenLength) return { bearer: null, reason: 'unknown' }
    const proven = this.#proven.get(token) ?? (await this.#prove(token))
    if (typeof proven === 'string') return { bearer: null, reason: proven }
    const { claims } = proven
    const now = this.#server.clock.now()
    if (claims.exp * 1000 <= now) {
      this.#proven.delete(token)
      return { bearer: null, reason: 'expired' }
    }
    const client = await this.#clients.find(claims.clientId)
    const grant = client?.grants.get(claims.teamId)
    if (!client || !grant || client.tokensAfter >= BigInt(claims.jti) || client.revoked.has(claims.jti))
      return { bearer: null, reason: 'revoked' }
    if (client.state !== 'ACTIVE') return { bearer: null, reason: 'disabled' }
    if (client.expiresAt !== null && client.expiresAt <= now) return { bearer: null, reason: 'expired' }
    if (!client.zones.includes(claims.zone)) return { bearer: null, reason: 'zone' }
    const membership = grant.isAnswered ? await this.#people.membershipOf(grant.grantedBy, claims.teamId) : null
    if (!membership) return { bearer: null, reason: 'nobody answers for it' }
    if (!proven.bearer || proven.client !== client || proven.membership !== membership) {
      const bearer: Bearer = {
        clientId: client.clientId,
        name: client.name,
        accountId: grant.grantedBy,
        teamId: claims.teamId,
        siteId: membership.siteId,
        zone: claims.zone,
        permissions: allOf(claims.permissions, grant.permissions, membership.permissions),
        scope: scopeNow(grant.scope, membership.scope),
        isForPersons,
      }
      Object.assign(proven, { client, membership, bearer })
    }
    return { bearer: proven.bearer as Bearer }
  }

  async #prove(token: string): Promise<Proven | string> {
    const { config, clock } = this.#server
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = typeof kid === 'string' ? await tokenKeys.of(this.#server).verifier(kid) : null
          if (!key) throw new errors.JWKSNoMatchingKey()
          return key
        },
        {
          algorithms: [signingAlgorithm],
          typ: tokenType,
          issuer: issuerOf(config),
          audience: audienceOf(config),
          currentDate: new Date(clock.now()),
          clockTolerance: tolerance,
          requiredClaims: ['exp', 'iat', 'jti', 'sub'],
        },
      )
      const claims = readClaims(payload)
      if (!claims) return 'unknown'
      if (this.#proven.size >= mostProven) this.#proven.clear()
      const proven = { claims }
      this.#proven.set(token, proven)
      return proven
    } catch (error) {
      if (error instanceof errors.JWTExpired) return 'expired'
      if (error instanceof errors.JOSEError || error instanceof TypeError) return 'unknown'
      throw error
    }
  }
}

function readClaims(payload: JWTPayload): Claims | null {
  const { client_id: clientId, team, zone, scope, jti, exp } = payload
  const isText = [clientId, team, zone, scope, jti].every(one => typeof one === 'string')
  if (!isText || !/^[1-9][0-9]{0,18}$/.test(String(jti)) || typeof exp !== 'number') return null
  return {
    clientId: String(clientId),
    teamId: String(team),
    zone: zone as ZoneId,
    permissions: String(scope).split(' '),
    jti: String(jti),
    exp,
  }
}
