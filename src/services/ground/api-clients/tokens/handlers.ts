import { decodeJwt, errors, jwtVerify } from 'jose'
import { fillSentence } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download, WireAccess } from '../../../../server/implement.ts'
import { implement } from '../../../../server/implement.ts'
import { signingAlgorithm } from '../../../../server/key-ring.ts'
import { tellClient } from '../client-cache.ts'
import { tokenKeys } from '../key-ring.ts'
import type { ClientRow } from '../queries.ts'
import { limits } from '../rules.ts'
import { issuerOf, metadataOf, tokenType } from './addresses.ts'
import { authenticate } from './client-authentication.ts'
import { discovery, tokenAsJson, tokenCalls } from './contract.ts'
import { type Form, readForm } from './form.ts'
import { issue } from './issue.ts'
import { answering, json, OAuthError, statusOf } from './oauth-error.ts'

/** Keys and addresses may be kept by whoever asks, for less than keys are published before they sign. */
const kept = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' }

const proven =
  (work: (ctx: Context, client: ClientRow, form: Form) => Promise<unknown>) =>
  (ctx: Context, { body }: { body: unknown }, { request }: WireAccess): Promise<Download> =>
    answering(request, async () => {
      const form = readForm(request, body)
      return json(await work(ctx, await authenticate(ctx, request, form), form))
    })

export default implement(tokenCalls, {
  issueToken: proven(issue),

  revokeToken: proven(async (ctx, client, form) => {
    const own = await ownToken(ctx, client, form)
    if (!own) return {}
    await ctx.transact(async inner => {
      await inner
        .transaction('home')
        .query(
          `INSERT INTO client_revoked_tokens (jti, client_id, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
          [own.jti, client.clientId, (own.exp + 60) * 1000],
        )
      const after = { jti: own.jti }
      inner.audit(
        {
          action: 'apiClient.token_revoke',
          entity: 'apiClient',
          entityId: client.clientId,
          teamId: client.teamId,
          after,
        },
        'home',
      )
      tellClient(inner, client.clientId)
    }, 'all')
    return {}
  }),

  introspectToken: proven(async (ctx, client, form) => {
    const own = await ownToken(ctx, client, form)
    if (!own || (await isRevoked(ctx, client, own.jti))) return { active: false }
    const { scope, exp, iat, sub, aud, iss, jti } = own
    return { active: true, client_id: client.clientId, token_type: 'Bearer', scope, exp, iat, sub, aud, iss, jti }
  }),

  getKeySet: async ctx => json({ keys: await tokenKeys.of(ctx.server).published() }, kept),
})

export const asJson = implement(tokenAsJson, {
  issueTokenAsJson: async (ctx, { body }, { request }) => {
    const { grant_type, client_id, client_secret } = body
    const form = { grant_type, client_id, client_secret }
    try {
      return json(await issue(ctx, await authenticate(ctx, request, form), form))
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const [code, , sentence] = tokenAsJson.errors.noToken
      const ret = { code, msg: fillSentence(sentence, { reason: error.message }) }
      return { ...json({ ret, error: error.code, error_description: error.message }), status: statusOf(error) }
    }
  },
})

export const wellKnown = implement(discovery, {
  getOpenidConfiguration: async ctx => json(metadataOf(ctx.server.config), kept),
  getServerMetadata: async ctx => json(metadataOf(ctx.server.config), kept),
})

/** The claims of a token that is good and the client's own; null for every other, so that nobody learns of foreign ones. */
async function ownToken(ctx: Context, client: ClientRow, form: Form) {
  const { token } = form
  if (token === undefined) throw new OAuthError('invalid_request', 'the field token is missing')
  if (token.length > limits.tokenLength) return null
  try {
    if (decodeJwt(token)['client_id'] !== client.clientId) return null
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = typeof kid === 'string' ? await tokenKeys.of(ctx.server).verifier(kid) : null
        if (!key) throw new errors.JWKSNoMatchingKey()
        return key
      },
      {
        algorithms: [signingAlgorithm],
        typ: tokenType,
        issuer: issuerOf(ctx.server.config),
        currentDate: new Date(ctx.now()),
      },
    )
    return { ...payload, jti: String(payload.jti), exp: payload.exp ?? 0 } as typeof payload & {
      jti: string
      exp: number
    }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}

async function isRevoked(ctx: Context, client: ClientRow, jti: string): Promise<boolean> {
  const { rows } = await ctx.transact(
    inner => inner.transaction('home').query('SELECT 1 FROM client_revoked_tokens WHERE jti = $1', [jti]),
    'all',
  )
  return rows.length > 0 || BigInt(client.tokensAfter) >= BigInt(jti)
}
