import type { Context } from '../../../../server/context.ts'
import { readJson } from '../../../../server/http/json-body.ts'
import type { MethodRow, OpenMethod } from '../product.ts'
import { providerKinds } from '../rules.ts'
import { proveAccessToken } from './oauth.ts'
import { proveCode, proveIdToken } from './openid.ts'
import { type ProvenIdentity, refuseProof } from './proof.ts'
import { proveOwnToken } from './self-built.ts'
import { completeSettings, oauthSettings, openidSettings } from './settings.ts'

/** Bound to where it is sent: with another address the sealed text does not open. */
export const secretPlace = (row: Pick<MethodRow, 'projectId' | 'provider'>, config: Readonly<Record<string, string>>) =>
  `${row.projectId} ${row.provider} ${config['issuer'] ?? ''} ${config['checkUrl'] ?? ''} ${config['userInfoUrl'] ?? ''}`

export function openSecret(ctx: Context, row: MethodRow): string | null {
  if (row.sealedSecret === null) return null
  return ctx.server.masterKey.open('app auth method', secretPlace(row, row.config), row.sealedSecret)
}

/** Asks a provider who the token is of. `extra` is an open id, or a JSON text with what a code needs. Outside of transactions. */
export async function proveIdentity(
  ctx: Context,
  { name, row }: OpenMethod,
  sent: { token: string; extra: string },
): Promise<ProvenIdentity> {
  const all = completeSettings(name, row.config)
  const secret = openSecret(ctx, row)
  const kind = providerKinds[name]
  if (kind === 'key') return proveOwnToken(ctx, { publicKey: all['publicKey'] ?? '' }, row.projectId, sent.token)
  if (kind === 'oauth') return proveAccessToken(ctx, oauthSettings(all, secret), sent.token, openIdOf(sent.extra))
  const code = codeOf(sent)
  const settings = openidSettings(all, secret)
  return code ? proveCode(ctx, settings, code) : proveIdToken(ctx, settings, sent.token)
}

const openIdOf = (extra: string) => (/^[\w-]{1,128}$/.test(extra) ? extra : '')

/** `{ redirectUri, codeVerifier }` beside the token says that the token is an authorization code. */
function codeOf({ token, extra }: { token: string; extra: string }) {
  if (!extra.startsWith('{')) return null
  try {
    const read = readJson(extra) as Record<string, unknown>
    const { redirectUri, codeVerifier, nonce } = read
    if (redirectUri === undefined && codeVerifier === undefined) return null
    if (typeof redirectUri !== 'string' || !URL.canParse(redirectUri) || typeof codeVerifier !== 'string')
      return refuseProof('redirectUri and codeVerifier belong to a code')
    return { code: token, redirectUri, codeVerifier, ...(typeof nonce === 'string' ? { nonce } : {}) }
  } catch (error) {
    if (error instanceof SyntaxError) return refuseProof('extraData is not JSON')
    throw error
  }
}
