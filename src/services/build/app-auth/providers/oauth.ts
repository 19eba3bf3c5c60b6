import type { Context } from '../../../../server/context.ts'
import { safeAddress } from './openid.ts'
import { askProvider, type ProvenIdentity, refuseProof, textOf, withQuery } from './proof.ts'

export interface OauthSettings {
  clientId: string
  secret: string | null
  /** Says for which client a token was made: without it a token of any other app would sign in. */
  checkUrl: string
  checkField: string
  userInfoUrl: string
  idField: string
  nameField: string
  pictureField: string
}

/** A value by its path: `data.app_id`. Own properties only. */
function at(read: Record<string, unknown>, path: string): unknown {
  let value: unknown = read
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** Proves an access token by asking the provider for whom it was made, then who it is of. */
export async function proveAccessToken(
  ctx: Context,
  settings: OauthSettings,
  token: string,
  openIdSaid: string,
): Promise<ProvenIdentity> {
  if (!/^[\x21-\x7e]{8,4096}$/.test(token)) refuseProof('the token is not one')
  const query = { access_token: token, input_token: token, openid: openIdSaid }
  const headers = {
    accept: 'application/json',
    ...(settings.secret === null
      ? {}
      : { authorization: `Basic ${Buffer.from(`${settings.clientId}:${settings.secret}`).toString('base64')}` }),
  }
  const check = await askProvider(ctx, withQuery(settings.checkUrl, query), { headers })
  if (textOf(at(check, settings.checkField)) !== settings.clientId) refuseProof('the token was made for another app')
  const bearer = { accept: 'application/json', authorization: `Bearer ${token}` }
  const person = await askProvider(ctx, withQuery(settings.userInfoUrl, query), { headers: bearer })
  const openId = textOf(at(person, settings.idField), 255)
  if (openId === '') refuseProof('it names nobody')
  return {
    issuer: new URL(settings.userInfoUrl).host,
    openId,
    displayName: settings.nameField === '' ? '' : textOf(at(person, settings.nameField)),
    photoUrl: settings.pictureField === '' ? '' : safeAddress(at(person, settings.pictureField)),
    email: null,
  }
}
