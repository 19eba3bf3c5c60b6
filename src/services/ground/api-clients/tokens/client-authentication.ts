import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { type CryptoKey, decodeJwt, decodeProtectedHeader, errors, importJWK, type JWK, jwtVerify } from 'jose'
import type { Context } from '../../../../server/context.ts'
import type { ClientRow } from '../queries.ts'
import { algorithmsOf, limits } from '../rules.ts'
import { judgeSecret, liveSecretsOf } from '../secrets.ts'
import { apiClients, clientKeys } from '../tables.home.ts'
import { assertionType, issuerOf, tokenUriOf } from './addresses.ts'
import type { Form } from './form.ts'
import { OAuthError } from './oauth-error.ts'

/** One answer for whatever is wrong with who a client says it is. */
const unknown = () => new OAuthError('invalid_client', 'the client is unknown, or what it proves itself with is wrong')

/** The client that a request comes from, proven by exactly one of three ways. The scope of rows is all. */
export async function authenticate(ctx: Context, request: FastifyRequest, form: Form): Promise<ClientRow> {
  const basic = readBasic(request)
  const { client_id: id, client_secret: secret, client_assertion: assertion } = form
  const ways = [basic, secret, assertion].filter(one => one !== undefined)
  if (ways.length > 1) throw new OAuthError('invalid_request', 'prove who you are in one way only')
  if (assertion !== undefined) {
    if (form['client_assertion_type'] !== assertionType)
      throw new OAuthError('invalid_request', 'client_assertion_type is not jwt-bearer')
    return checked(ctx, await bySignature(ctx, assertion, id))
  }
  if (basic && id !== undefined && id !== basic.id)
    throw new OAuthError('invalid_request', 'client_id is not that of the header')
  const claimed = basic ?? (id !== undefined && secret !== undefined ? { id, secret } : undefined)
  if (!claimed) throw unknown()
  return checked(ctx, await bySecret(ctx, claimed))
}

function readBasic(request: FastifyRequest): { id: string; secret: string } | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]{1,1000})$/i.exec(header) ?? []
  if (encoded === undefined) throw unknown()
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) throw unknown()
  return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) }
}

/** RFC 6749, 2.3.1: both are encoded as in a form before they are put together. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw unknown()
  }
}

async function bySecret(ctx: Context, claimed: { id: string; secret: string }): Promise<ClientRow> {
  const found = await ctx.transact(async inner => {
    const client = await clientNamed(inner, claimed.id)
    return client && { client, secrets: await liveSecretsOf(inner, client.clientId) }
  }, 'all')
  const hashes = found?.secrets.map(one => one.hash) ?? []
  const judged = await judgeSecret(ctx.server.masterKey, claimed.secret, hashes)
  if (judged === 'busy') throw new OAuthError('temporarily_unavailable', 'too many clients at once; try again')
  if (judged === 'wrong' || !found) throw unknown()
  return found.client
}

async function clientNamed(ctx: Context, id: string): Promise<ClientRow | undefined> {
  if (!/^[1-9][0-9]{0,17}$/.test(id)) return undefined
  const [client] = await ctx.home.select().from(apiClients).where(eq(apiClients.clientId, id))
  return client
}

/** RFC 7523: signed by a key of the client, for us, not long ago, and never before. */
async function bySignature(ctx: Context, assertion: string, id: string | undefined): Promise<ClientRow> {
  if (assertion.length > limits.tokenLength) throw unknown()
  const { clientId, kid } = claimedBy(assertion)
  if (id !== undefined && id !== clientId) throw unknown()
  const found = await ctx.transact(async inner => {
    const client = await clientNamed(inner, clientId)
    const keys = client ? await inner.home.select().from(clientKeys).where(eq(clientKeys.clientId, clientId)) : []
    const key = kid === undefined && keys.length === 1 ? keys[0] : keys.find(one => one.kid === kid)
    return client && key && { client, key }
  }, 'all')
  if (!found) throw unknown()
  const { client, key } = found
  const { jti, exp } = await verified(ctx, assertion, clientId, key)
  await spend(ctx, clientId, jti, exp)
  return client
}

/** Who an assertion says it is from; nothing of it is believed yet. */
function claimedBy(assertion: string): { clientId: string; kid: string | undefined } {
  try {
    const { iss } = decodeJwt(assertion)
    const { kid } = decodeProtectedHeader(assertion)
    if (typeof iss === 'string') return { clientId: iss, kid: typeof kid === 'string' ? kid : undefined }
  } catch {
    // It is refused as every other that proves nothing.
  }
  throw unknown()
}

async function verified(
  ctx: Context,
  assertion: string,
  clientId: string,
  key: typeof clientKeys.$inferSelect,
): Promise<{ jti: string; exp: number }> {
  const { config } = ctx.server
  const now = ctx.now()
  try {
    const publicKey = (await importJWK(key.publicJwk as JWK, key.algorithm)) as CryptoKey
    const algorithms = [...algorithmsOf[key.algorithm]]
    const { alg } = decodeProtectedHeader(assertion)
    const usable = alg === 'PS256' ? ((await importJWK(key.publicJwk as JWK, 'PS256')) as CryptoKey) : publicKey
    const { payload } = await jwtVerify(assertion, usable, {
      algorithms,
      issuer: clientId,
      subject: clientId,
      audience: [issuerOf(config), tokenUriOf(config)],
      currentDate: new Date(now),
      clockTolerance: 5,
      requiredClaims: ['exp', 'jti', 'aud'],
    })
    const { jti, exp, aud } = payload
    const isForUsAlone = !Array.isArray(aud) || aud.length === 1
    const isShort = typeof exp === 'number' && exp * 1000 - now <= limits.assertionSeconds * 1000
    if (typeof jti === 'string' && jti.length > 0 && jti.length <= 300 && isForUsAlone && isShort) return { jti, exp }
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error
  }
  throw unknown()
}

async function spend(ctx: Context, clientId: string, jti: string, exp: number): Promise<void> {
  const jtiHash = createHash('sha256').update(jti).digest('base64url')
  const { rowCount } = await ctx.transact(
    inner =>
      inner
        .transaction('home')
        .query(
          `INSERT INTO client_used_assertions (client_id, jti_hash, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
          [clientId, jtiHash, (exp + 60) * 1000],
        ),
    'all',
  )
  if (rowCount === 0) throw unknown()
}

/** What is told only to who proved to be the client. */
function checked(ctx: Context, client: ClientRow): ClientRow {
  const isOver = client.expiresAt !== null && client.expiresAt <= ctx.now()
  if (client.state !== 'ACTIVE' || isOver || client.kind === 'debug')
    throw new OAuthError('invalid_client', isOver ? 'the client has run out' : 'the client is disabled')
  return client
}
