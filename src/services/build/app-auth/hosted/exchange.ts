import { createHash, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Refusal } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download } from '../../../../server/implement.ts'
import type { KnownCaller } from '../caller.ts'
import { refreshSession, type SessionRow, tokensOf, type UserRow } from '../sessions.ts'
import { appUserSessions, appUsers } from '../tables.ts'
import { readRefreshToken, signToken } from '../tokens.ts'
import { isVerifierOf, takeGrant } from './grants.ts'
import { type Relying, relyingParty } from './relying.ts'
import { isVerifier } from './rules.ts'

type Fault = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type'
type Form = Readonly<Record<string, unknown>>

const fixed = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  pragma: 'no-cache',
  // Pages of apps ask for tokens themselves; nothing here is read out of cookies.
  'access-control-allow-origin': '*',
}

const said: Readonly<Record<Fault, string>> = {
  invalid_request: 'a parameter is missing, or came twice',
  invalid_client: 'the client is unknown, or its secret is wrong',
  invalid_grant: 'the code or token is wrong, over or used, or the verifier or the address is not its own',
  unsupported_grant_type: 'grant_type is authorization_code or refresh_token',
}

const told = (status: number, body: object): Download => ({ status, headers: fixed, body: JSON.stringify(body) })
const fail = (error: Fault) => told(error === 'invalid_client' ? 401 : 400, { error, error_description: said[error] })

/** The token endpoint: RFC 6749, 4.1.3 and 6, with the verifier of RFC 7636. */
export async function exchange(ctx: Context, form: Form): Promise<Download> {
  if (Object.values(form).some(value => typeof value !== 'string')) return fail('invalid_request')
  const relying = await relyingParty(ctx, form['client_id'])
  if (!relying || !isSecretRight(relying, form['client_secret'])) return fail('invalid_client')
  if (form['grant_type'] === 'authorization_code') return byCode(relying, form)
  if (form['grant_type'] === 'refresh_token') return byRefresh(relying, String(form['refresh_token'] ?? ''))
  return fail('unsupported_grant_type')
}

/** An app on a device keeps no secret, and needs none beside the verifier; one that is sent is looked at. */
function isSecretRight({ client }: Relying, secret: unknown): boolean {
  if (secret === undefined) return true
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(String(secret)), digest(client.clientSecret))
}

async function byCode({ project, client, settings }: Relying, form: Form): Promise<Download> {
  const { code, code_verifier: verifier, redirect_uri: redirectUri } = form
  if (typeof code !== 'string' || !isVerifier(verifier)) return fail('invalid_request')
  const { grant, found } = await project.transact(async inner => {
    const taken = await takeGrant(inner, client.clientId, code)
    return { grant: taken, found: taken && (await openOnes(inner, taken.familyId)) }
  })
  if (!grant || !found) return fail('invalid_grant')
  if (grant.redirectUri !== redirectUri || !isVerifierOf(verifier, grant.challenge)) return fail('invalid_grant')
  const tokens = await tokensOf(project, found.user, found.session, settings)
  const idToken = await signIdToken(project, found, { clientId: client.clientId, nonce: grant.nonce })
  return told(200, { ...wire(tokens), id_token: idToken, scope: grant.scope })
}

async function byRefresh({ project, client, settings }: Relying, token: string): Promise<Download> {
  const read = readRefreshToken(project.server, token)
  const found = read && (await project.transact(inner => openOnes(inner, read.familyId)))
  if (found?.session.clientId !== client.clientId) return fail('invalid_grant')
  try {
    const caller = { projectId: client.projectId } as KnownCaller
    return told(200, wire((await refreshSession(project, caller, token, settings)).tokens))
  } catch (error) {
    if (error instanceof Refusal) return fail('invalid_grant')
    throw error
  }
}

async function openOnes(ctx: Context, familyId: string): Promise<{ user: UserRow; session: SessionRow } | null> {
  const [found] = await ctx.db
    .select({ user: appUsers, session: appUserSessions })
    .from(appUserSessions)
    .innerJoin(appUsers, eq(appUsers.uid, appUserSessions.uid))
    .where(eq(appUserSessions.familyId, familyId))
  return found && found.session.endedAt === null && found.user.state === 'ACTIVE' ? found : null
}

const wire = ({ accessToken, refreshToken }: Awaited<ReturnType<typeof tokensOf>>) => ({
  access_token: accessToken.token,
  token_type: 'Bearer',
  expires_in: accessToken.validPeriod,
  refresh_token: refreshToken.token,
})

/** Says to the app, and to it alone, who signed in. */
function signIdToken(
  project: Context,
  { user, session }: { user: UserRow; session: SessionRow },
  { clientId, nonce }: { clientId: string; nonce: string },
): Promise<string> {
  return signToken(project.server, project.zone, 'id', {
    projectId: clientId,
    subject: user.uid,
    seconds: 600,
    claims: {
      ...(nonce === '' ? {} : { nonce }),
      auth_time: Math.floor(session.authAt / 1000),
      name: user.displayName === '' ? undefined : user.displayName,
      picture: user.photoUrl === '' ? undefined : user.photoUrl,
      email: user.email ?? undefined,
      email_verified: user.email === null ? undefined : user.emailVerified,
      phone_number: user.phone?.replace('-', ''),
    },
  })
}
