import type { FastifyRequest } from 'fastify'
import { type Context, systemContext } from '../../../../server/context.ts'
import { appClientOf } from '../../../ground/projects/public.ts'
import type { KnownCaller } from '../caller.ts'
import type { Called } from '../device/wire.ts'
import { defaultHost, defaultSettings, inProject, methodOf, productRow } from '../product.ts'
import { providerNumbers } from '../rules.ts'
import type { AuthSettings, HostSettings } from '../tables.ts'

/** An app that sends its users to the page, or asks for tokens. */
export interface Relying {
  client: NonNullable<Awaited<ReturnType<typeof appClientOf>>>
  project: Context
  settings: AuthSettings
  host: HostSettings
  ways: { email: boolean; phone: boolean }
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
    const isOn = async (provider: number) => (await methodOf(inner, projectId, provider))?.enabled === true
    const ways = { email: await isOn(providerNumbers.email), phone: await isOn(providerNumbers.phone) }
    return { client, project, settings, host, ways }
  })
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
