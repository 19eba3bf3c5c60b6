import { and, asc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { appWithin } from '../../teams/scopes/public.ts'
import { errors } from '../contract.ts'
import { deleteClient, homeZone, insertClient, lockClients, updateRow } from '../making.ts'
import { type ClientRow, clientOf, secretsOf } from '../queries.ts'
import { type appScopes, limits, type RedirectFault, redirectFault } from '../rules.ts'
import { addSecret, makeSecret, rotateSecret } from '../secrets.ts'
import { apiClients } from '../tables.home.ts'
import { appOauth } from './contract.ts'

const hourMs = 3_600_000
type AppScope = (typeof appScopes)[number]

export default implement(appOauth, {
  listAppClients: async (ctx, { query }) => {
    await appWithin(ctx, query.appId)
    return { list: await toOauthClients(ctx, await clientsOfApp(ctx, query.appId)) }
  },

  createAppClient: async (ctx, { body }) => {
    const { appId, name, redirectUris, scopes, isPublic = false } = body
    await ctx.transact(inner => appWithin(inner, appId))
    checkRedirects(redirectUris)
    const made = isPublic ? null : await makeSecret(ctx)
    return ctx.transact(async inner => {
      await lockClients(inner)
      const known = await clientsOfApp(inner, appId)
      if (known.length >= limits.clientsOfApp) refuse(errors.tooManyClients, { limit: limits.clientsOfApp })
      const zones = [await homeZone(inner)]
      const row = await insertClient(inner, { kind: 'app', name, zones, appId, redirectUris, scopes, isPublic })
      if (made) await addSecret(inner, { clientId: row.clientId, teamId: row.teamId }, made)
      return { client: await toOauthClient(inner, row), clientSecret: made?.secret ?? null }
    })
  },

  updateAppClient: async (ctx, { body }) => {
    const { appId, clientId, action, revision } = body
    await ctx.transact(inner => appWithin(inner, appId))
    checkRedirects(body.redirectUris ?? [])
    const made = action === 'rotate' ? await makeSecret(ctx) : null
    return ctx.transact(async inner => {
      const before = await clientOfApp(inner, appId, clientId, 'update')
      if (before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
      if (made && before.isPublic) refuse(errors.noSecret)
      const overlapMs = (body.overlapHours ?? 24) * hourMs
      if (made) await rotateSecret(inner, { clientId: before.clientId, teamId: before.teamId }, made, overlapMs)
      const { name = before.name, redirectUris = before.redirectUris, scopes = before.scopes } = body
      const row = await updateRow(inner, before, {
        ...{ name, redirectUris, scopes },
        ...(action === 'enable' ? { state: 'ACTIVE' as const } : {}),
        ...(action === 'disable' ? { state: 'DISABLED' as const } : {}),
      })
      const after = { name, redirectUris, scopes, state: row.state }
      inner.audit({ action: `apiClient.${action ?? 'update'}`, entity: 'apiClient', entityId: clientId, after }, 'home')
      return { client: await toOauthClient(inner, row), clientSecret: made?.secret ?? null }
    })
  },

  deleteAppClient: async (ctx, { query }) => {
    await appWithin(ctx, query.appId)
    await deleteClient(ctx, await clientOfApp(ctx, query.appId, query.clientId))
    return {}
  },
})

const sentences: Readonly<Record<RedirectFault, string>> = {
  unreadable: 'is no address, or has blanks or characters that must be escaped',
  fragment: 'must not have a fragment (#)',
  wildcard: 'must not have a wildcard; name each address',
  userinfo: 'must not have a name or password before the host',
  plainHttp: 'must be https; plain http is for this device only (127.0.0.1, [::1], localhost)',
  scheme: 'must be https, or a scheme of the app that is a reversed domain such as com.example.app:/',
  host: 'needs a host without a dot at its end',
  notNormal: 'is not written plainly: lower case host, no default port, no .. and no needless escapes',
}

function checkRedirects(addresses: readonly string[]): void {
  addresses.forEach((address, at) => {
    const fault = redirectFault(address)
    if (fault) throw badField(`/redirectUris/${at}`, fault, sentences[fault])
  })
}

async function clientsOfApp(ctx: Context, appId: string): Promise<ClientRow[]> {
  return ctx.home
    .select()
    .from(apiClients)
    .where(and(eq(apiClients.teamId, ctx.teamId), eq(apiClients.appId, appId)))
    .orderBy(asc(apiClients.clientId))
    .limit(limits.clientsOfApp)
}

async function clientOfApp(ctx: Context, appId: string, clientId: string, lock?: 'update'): Promise<ClientRow> {
  const row = await clientOf(ctx, 'app', clientId, lock)
  return row.appId === appId ? row : refuse(commonErrors.notFound, { entity: 'client', id: clientId })
}

async function toOauthClient(ctx: Context, row: ClientRow) {
  const [client] = await toOauthClients(ctx, [row])
  return client ?? refuse(commonErrors.internal)
}

async function toOauthClients(ctx: Context, rows: readonly ClientRow[]) {
  const secrets = await secretsOf(
    ctx,
    rows.map(row => row.clientId),
  )
  return rows.map(row => ({
    ...row,
    appId: row.appId ?? '0',
    scopes: row.scopes as AppScope[],
    secrets: secrets.get(row.clientId) ?? [],
  }))
}
