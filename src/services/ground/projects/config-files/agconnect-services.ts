import type { ZoneId } from '../../../../kernel/zones.ts'
import { zones } from '../../../../kernel/zones.ts'

export interface ConfigFacts {
  teamId: string
  projectId: string
  appId: string
  packageName: string
  clientId: string
  clientSecret: string
  apiKey: string
  zone: ZoneId
  served: readonly ZoneId[]
  publicUrl: string
  enabled: ReadonlySet<string>
}

/** The names are AppGallery Connect's own; its public SDKs read them. A host stands without `https://` there. */
export function agconnectServices(facts: ConfigFacts): Record<string, unknown> {
  const { teamId, projectId, appId, packageName, clientId, clientSecret, apiKey, zone } = facts
  const gateway = gatewayOf(facts.publicUrl, zone)
  const client = {
    cp_id: teamId,
    product_id: projectId,
    project_id: projectId,
    app_id: appId,
    client_id: clientId,
    client_secret: clientSecret,
    api_key: apiKey,
    package_name: packageName,
  }
  const appInfo = { app_id: appId, package_name: packageName }
  const oauthClient = { client_id: clientId, client_type: 1 }
  const gateways = facts.served.map(one => [one, gatewayOf(facts.publicUrl, one)])
  return {
    agcgw: { url: gateway, backurl: gateway, websocketurl: gateway, websocketbackurl: gateway },
    agcgw_all: Object.fromEntries(
      gateways.flatMap(([one, host]) => [
        [one, host],
        [`${one}_back`, host],
      ]),
    ),
    client,
    oauth_client: oauthClient,
    app_info: appInfo,
    service: servicesOf(facts),
    region: zone,
    configuration_version: '3.0',
    appInfos: [{ package_name: packageName, client, app_info: appInfo, oauth_client: oauthClient }],
  }
}

function gatewayOf(publicUrl: string, zone: ZoneId): string {
  return `${publicUrl.replace(/^https?:\/\//, '')}/${zones[zone].slug}`
}

function servicesOf({ enabled, publicUrl, zone, projectId }: ConfigFacts): Record<string, unknown> {
  const base = `${publicUrl}/${zones[zone].slug}`
  return {
    ...(enabled.has('analytics') ? { analytics: { collector_url: base, resource_id: 'p1', channel_id: '' } } : {}),
    ...(enabled.has('storage') ? { cloudstorage: { storage_url: base, default_storage: `default-${projectId}` } } : {}),
    ...(enabled.has('remote-config') ? { remoteconfig: { url: base } } : {}),
    ...(enabled.has('app-auth') ? { auth: { url: base } } : {}),
  }
}
