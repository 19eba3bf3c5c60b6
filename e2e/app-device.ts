import { apps } from '../src/services/distribute/apps/contract.ts'
import { projectConfigFiles } from '../src/services/ground/projects/config-files/contract.ts'
import { until, type Visitor } from './loggia.ts'

/** An app of a project, by the file that its team downloads for it. */
export interface AppDevice {
  appId: string
  clientId: string
  /** Proves the app to everything that devices ask. */
  clientToken: string
  /** A call of sign-in with that proof: `send('/user-signin-anonymous', …)`. */
  send: (path: string, body: object) => Promise<Record<string, unknown>>
}

/** Makes an app in the project and takes it to a device. */
export async function openAppOnDevice(owner: Visitor, projectId: string, name: string): Promise<AppDevice> {
  const { appId } = await owner.ok(apps, 'createApp', {
    body: { projectId, name, packageType: 'ANDROID', defaultLang: 'enUS', deviceTypes: [4], kindMainTag: 10101 },
  })
  return takeToDevice(owner, projectId, appId, `com.example.${name.toLowerCase()}`)
}

export async function takeToDevice(
  owner: Visitor,
  projectId: string,
  appId: string,
  packageName: string,
): Promise<AppDevice> {
  // The project hears of its app by event.
  const configFileId = await until('the app of the project', async () => {
    const made = await owner.call(projectConfigFiles, 'makeConfigFile', { body: { projectId, appId, packageName } })
    return made.status === 200 && String(made.body['configFileId'])
  })
  const query = new URLSearchParams({ projectId, configFileId })
  const place = '/cpms/project-management-service/v1/config-files/download'
  const file = await fetch(`${owner.url}${place}?${query}`, { headers: owner.headers })
  const { client } = (await file.json()) as { client: { client_id: string; client_secret: string } }
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${owner.url}/agc/apigw/oauth2${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as Record<string, unknown>
  }
  const { client_id, client_secret } = client
  const proof = await post('/v1/token', { grant_type: 'client_credentials', client_id, client_secret, useJwt: 1 })
  const clientToken = String(proof['access_token'])
  return {
    ...{ appId, clientId: client_id, clientToken },
    send: (path, body) =>
      post(`/third/v1${path}?productId=${projectId}`, body, { authorization: `Bearer ${clientToken}` }),
  }
}
