import { and, asc, eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { type Context, systemContext } from '../../../../server/context.ts'
import { appClientOf } from '../../../ground/projects/public.ts'
import type { KnownCaller } from '../caller.ts'
import type { Called } from '../device/wire.ts'
import { defaultHost, defaultSettings, inProject, productRow } from '../product.ts'
import { type ProviderName, providerKinds, providerNamed, providerNumbers } from '../rules.ts'
import { type AuthSettings, authMethods, type HostSettings } from '../tables.ts'

/** How users may sign in on the page. */
export interface Ways {
  email: boolean
  phone: boolean
  /** Those whose own page asks for the rest. */
  providers: { provider: number; name: ProviderName }[]
}

/** An app that sends its users to the page, or asks for tokens. */
export interface Relying {
  client: NonNullable<Awaited<ReturnType<typeof appClientOf>>>
  project: Context
  settings: AuthSettings
  host: HostSettings
  ways: Ways
}

/** The app of a client id while its page is open, in the zone of the call; null says nothing of why. */
export async function relyingParty(ctx: Context, clientId: unknown): Promise<Relying | null> {
  if (typeof clientId !== 'string') return null
  const client = await systemContext(ctx.server, ctx.zone, { name: 'appAuth' }).transact(inner =>
    appClientOf(inner, clientId),
  )
  if (client?.zone !== ctx.zone) return null
  const project = inProject(ctx, client)
  return project.transact(async inner => {
    const { projectId } = client
    const row = await productRow(inner, projectId)
    const settings = { ...defaultSettings, ...row?.settings }
    const host = { ...defaultHost, ...row?.host }
    if (!host.enabled || !settings.enabled || host.redirectUris.length === 0) return null
    return { client, project, settings, host, ways: await waysOf(inner, projectId) }
  })
}

async function waysOf(ctx: Context, projectId: string): Promise<Ways> {
  const on = await ctx.db
    .select({ provider: authMethods.provider })
    .from(authMethods)
    .where(and(eq(authMethods.projectId, projectId), authMethods.enabled))
    .orderBy(asc(authMethods.provider))
  const isOn = (provider: number) => on.some(one => one.provider === provider)
  const providers = on.flatMap(({ provider }) => {
    const name = providerNamed(provider)
    return name !== null && providerKinds[name] === 'openid' ? [{ provider, name }] : []
  })
  return { email: isOn(providerNumbers.email), phone: isOn(providerNumbers.phone), providers }
}

/** The page as a caller of what devices call: the browser is the installation that codes are bound to. */
export function calledByPage({ client, project, settings }: Relying, request: FastifyRequest, browser: string): Called {
  const { projectId, teamId, zone, appId, clientId } = client
  const requester = `page ${project.server.masterKey.sign('app auth browser', browser).slice(0, 22)}`
  const caller: KnownCaller = {
    ...{ projectId, teamId, zone, appId, clientId, requester },
    isServer: false,
    user: null,
    session: null,
  }
  return { project, caller, settings, device: String(request.headers['user-agent'] ?? '').slice(0, 200) }
}
