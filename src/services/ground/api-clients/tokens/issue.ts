import { eq } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { type ZoneId, zoneOfSite } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { signingAlgorithm } from '../../../../server/key-ring.ts'
import { teamNamed } from '../../teams/public.ts'
import { rightsIn } from '../../teams/scopes/public.ts'
import { tokenKeys } from '../key-ring.ts'
import { type ClientRow, liveGrantOf } from '../queries.ts'
import { allOf, limits } from '../rules.ts'
import { apiClients } from '../tables.home.ts'
import { audienceOf, audienceOfApp, issuerOf, tokenType } from './addresses.ts'
import type { Form } from './form.ts'
import { OAuthError } from './oauth-error.ts'

/** Stands in every token for debugging, for whoever reads one in a log. */
export const watermark = 'LOGGIA-DEBUG-ONLY'

interface Wanted {
  clientId: string
  subject: string
  teamId: string
  zone: ZoneId
  permissions: Iterable<string>
  seconds: number
  audience?: string
  more?: Record<string, string>
}

/** A signed access token (RFC 9068). */
export async function signToken(ctx: Context, wanted: Wanted): Promise<string> {
  const { config } = ctx.server
  const { kid, privateKey } = await tokenKeys.of(ctx.server).signer()
  const now = Math.floor(ctx.now() / 1000)
  return new SignJWT({
    client_id: wanted.clientId,
    scope: [...wanted.permissions].join(' '),
    team: wanted.teamId,
    zone: wanted.zone,
    ...wanted.more,
  })
    .setProtectedHeader({ alg: signingAlgorithm, kid, typ: tokenType })
    .setIssuer(issuerOf(config))
    .setSubject(wanted.subject)
    .setAudience(wanted.audience ?? audienceOf(config))
    .setJti(ctx.newId())
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + wanted.seconds)
    .sign(privateKey)
}

/** The answer of a token for a client that has proven itself. */
export async function issue(ctx: Context, client: ClientRow, form: Form) {
  if (form['grant_type'] !== 'client_credentials')
    throw new OAuthError('unsupported_grant_type', 'the grant type is client_credentials')
  const asked = form['scope']?.split(' ').filter(one => one !== '')
  const zone = await zoneWanted(ctx, client, form['zone'])
  const { teamId, permissions, subject, audience } =
    client.kind === 'app' ? ofApp(ctx, client) : await ofTeam(ctx, client, form['team'] ?? client.teamId)
  const missing = asked?.find(one => !permissions.has(one))
  if (missing !== undefined) throw new OAuthError('invalid_scope', 'the client does not hold all of the scope')
  const granted = asked ?? [...permissions]
  if (granted.length === 0) throw new OAuthError('invalid_scope', 'the client holds no rights')
  const seconds = Math.min(limits.tokenSeconds, secondsLeft(ctx, client))
  const { clientId } = client
  const token = await signToken(ctx, { clientId, subject, teamId, zone, permissions: granted, seconds, audience })
  await ctx.transact(
    inner => inner.home.update(apiClients).set({ lastUsedAt: inner.now() }).where(eq(apiClients.clientId, clientId)),
    'all',
  )
  return { access_token: token, token_type: 'Bearer', expires_in: seconds, scope: granted.join(' ') }
}

function secondsLeft(ctx: Context, { expiresAt }: ClientRow): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Math.ceil((expiresAt - ctx.now()) / 1000)
}

/** The zone that was asked for, else the team's, else the client's first. */
async function zoneWanted(ctx: Context, client: ClientRow, asked: string | undefined): Promise<ZoneId> {
  const team = await ctx.transact(inner => teamNamed(inner, client.teamId), 'all')
  if (!team) throw new OAuthError('unauthorized_client', 'the team of the client is gone')
  const own = zoneOfSite(team.siteId)
  const wanted = asked ?? (client.zones.includes(own) ? own : client.zones[0])
  if (!client.zones.includes(wanted as ZoneId))
    throw new OAuthError('invalid_target', 'the client may not act in that zone')
  return wanted as ZoneId
}

/** The rights of a client in a team now: what it was granted and who granted it still holds. */
async function ofTeam(ctx: Context, client: ClientRow, teamId: string) {
  const nobody = () => new OAuthError('unauthorized_client', 'nobody in that team answers for the client')
  if (!/^[1-9][0-9]{0,17}$/.test(teamId)) throw nobody()
  return ctx.transact(async inner => {
    const grant = await liveGrantOf(inner, client.clientId, teamId)
    if (!grant) throw nobody()
    const rights = (await rightsIn(inner, teamId, [grant.grantedBy])).get(grant.grantedBy)
    if (!rights) throw nobody()
    const permissions = allOf(grant.permissions, rights.permissions)
    const subject = client.kind === 'user' ? grant.grantedBy : client.clientId
    return { teamId, permissions, subject, audience: audienceOf(inner.server.config) }
  }, 'all')
}

function ofApp(ctx: Context, client: ClientRow) {
  const { teamId, clientId: subject, appId, scopes } = client
  return { teamId, permissions: new Set(scopes), subject, audience: audienceOfApp(ctx.server.config, appId ?? '0') }
}
