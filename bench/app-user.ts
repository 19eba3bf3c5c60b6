import type { CallSpec, Contract } from '../src/kernel/contract.ts'
import { authSettings } from '../src/services/build/app-auth/settings/contract.ts'
import { apps } from '../src/services/distribute/apps/contract.ts'
import { projectConfigFiles } from '../src/services/ground/projects/config-files/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import type { Stand } from './stand.ts'

/** Asks for JSON; throws what was answered instead of 2xx. */
export async function asked<T = object>(url: string, method: string, headers: Record<string, string>, body?: object) {
  const reply = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as T
}

/** Calls of the console, as the leader of the stand. */
export const callerOf =
  (stand: Stand) =>
  <T = object>(contract: Contract, name: string, input: { query?: object; body?: object }) => {
    const call = contract.calls[name] as CallSpec
    const query = input.query ? `?${new URLSearchParams(input.query as Record<string, string>)}` : ''
    return asked<T>(`${stand.address}${contract.prefix}${call.path}${query}`, call.method, stand.headers, input.body)
  }

/** A new project with an app, and the headers of one of its users, who is signed in. */
export async function appUserOf(stand: Stand): Promise<{ projectId: string; headers: Record<string, string> }> {
  const call = callerOf(stand)
  const { projectId } = await call<{ projectId: string }>(projects, 'createProject', { body: { name: 'Bench' } })
  const app = { projectId, name: 'Bench', packageType: 'ANDROID', defaultLang: 'enUS', deviceTypes: [4] }
  const { appId } = await call<{ appId: string }>(apps, 'createApp', { body: app })
  // The app is known to other services when its event has been heard.
  await new Promise(resolve => setTimeout(resolve, 1500))
  const file = { projectId, appId, packageName: 'com.example.bench' }
  const { configFileId } = await call<{ configFileId: string }>(projectConfigFiles, 'makeConfigFile', { body: file })
  const config = await call<{ client: Record<string, string> }>(projectConfigFiles, 'downloadConfigFile', {
    query: { projectId, configFileId },
  })
  await call(authSettings, 'createMethod', { body: { projectId, provider: 0, enabled: true } })
  const token = await asked<{ access_token: string }>(
    `${stand.address}/agc/apigw/oauth2/v1/token`,
    'POST',
    {},
    { grant_type: 'client_credentials', ...config.client, useJwt: 1 },
  )
  const base = { authorization: `Bearer ${token.access_token}`, productid: projectId }
  const user = await asked<{ accessToken: { token: string } }>(
    `${stand.address}/agc/apigw/oauth2/third/v1/user-signin-anonymous?productId=${projectId}`,
    'POST',
    base,
    { provider: 0, token: 'aaid', useJwt: 1 },
  )
  return { projectId, headers: { ...base, access_token: user.accessToken.token } }
}
