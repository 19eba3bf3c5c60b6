import type { CallSpec, Contract } from '../src/kernel/contract.ts'
import { authSettings } from '../src/services/build/app-auth/settings/contract.ts'
import { cloudDb } from '../src/services/build/cloud-db/contract.ts'
import { cloudDbSecurity } from '../src/services/build/cloud-db/security/contract.ts'
import { apps } from '../src/services/distribute/apps/contract.ts'
import { projectConfigFiles } from '../src/services/ground/projects/config-files/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import type { Stand } from './stand.ts'

/** Where a user of an app reads and writes rows. */
export interface AppRows {
  /** Of the data plane, with the prefix of its calls. */
  plane: string
  prefix: string
  /** Tokens of the app and of somebody signed in to it. */
  headers: Record<string, string>
  place: { cloudDBZoneName: string; objectTypeName: string }
}

const rules = `agc.cloud.db[ match: /{zone}/Item/{id} {
  allow read: if resource.data.price >= 0 || (request.auth != null && resource.data.owner == request.auth.uid);
  allow create: if request.auth != null && request.resource.data.title.size() > 0;
} ]`

/** Answers JSON; throws on any refusal. */
export async function asked<T = object>(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<T> {
  const reply = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${await reply.text()}`)
  return (await reply.json()) as T
}

const callerOf =
  (stand: Stand) =>
  <T = object>(contract: Contract, name: string, input: { query?: object; body?: object }) => {
    const call = contract.calls[name] as CallSpec
    const query = input.query ? `?${new URLSearchParams(input.query as Record<string, string>)}` : ''
    return asked<T>(`${stand.address}${contract.prefix}${call.path}${query}`, call.method, stand.headers, input.body)
  }

/** An app with a user who is signed in. */
async function userOf(stand: Stand) {
  const call = callerOf(stand)
  const { projectId } = (await call(projects, 'createProject', { body: { name: 'Bench' } })) as { projectId: string }
  const app = { projectId, name: 'Bench', packageType: 'ANDROID', defaultLang: 'enUS', deviceTypes: [4] }
  const { appId } = (await call(apps, 'createApp', { body: app })) as { appId: string }
  await new Promise(resolve => setTimeout(resolve, 1500))
  const { configFileId } = (await call(projectConfigFiles, 'makeConfigFile', {
    body: { projectId, appId, packageName: 'com.example.bench' },
  })) as { configFileId: string }
  const config = (await call(projectConfigFiles, 'downloadConfigFile', {
    query: { projectId, configFileId },
  })) as { client: { client_id: string; client_secret: string } }
  await call(authSettings, 'createMethod', { body: { projectId, provider: 0, enabled: true } })
  const token = (await asked(
    `${stand.address}/agc/apigw/oauth2/v1/token`,
    'POST',
    {},
    { grant_type: 'client_credentials', ...config.client, useJwt: 1 },
  )) as { access_token: string }
  const base = { authorization: `Bearer ${token.access_token}`, productid: projectId }
  const third = `${stand.address}/agc/apigw/oauth2/third/v1/user-signin-anonymous?productId=${projectId}`
  const user = (await asked(third, 'POST', base, { provider: 0, token: 'aaid', useJwt: 1 })) as {
    accessToken: { token: string }
  }
  return { projectId, headers: { ...base, access_token: user.accessToken.token, 'content-type': 'application/json' } }
}

/** A type with rights and rules and as many rows as are wanted: 50 categories, prices from 0 to 999, seven owners. */
export async function openAppRows(stand: Stand, rows: number): Promise<AppRows> {
  const call = callerOf(stand)
  const { projectId, headers } = await userOf(stand)
  await call(cloudDb, 'switchProduct', { body: { projectId, enabled: true, agree: true } })
  await call(cloudDb, 'createZone', { body: { projectId, name: 'main' } })
  const field = (fieldName: string, fieldType: string, more: object = {}) => ({ fieldName, fieldType, ...more })
  const objectType = {
    objectTypeName: 'Item',
    fields: [
      field('id', 'String', { belongPrimaryKey: true }),
      field('title', 'String'),
      field('price', 'Integer'),
      field('category', 'String'),
      field('owner', 'String'),
    ],
    indexes: [
      {
        indexName: 'byCategory',
        indexList: ['category', 'price'].map(fieldName => ({ fieldName, sortType: 'DESC' })),
      },
    ],
    permissions: ['World', 'Authenticated', 'Creator', 'Administrator'].map(role => ({
      role,
      rights: ['Read', 'Upsert', 'Delete'],
    })),
  }
  await call(cloudDb, 'createObjectType', { body: { projectId, objectType } })
  const schema = `cdb_${BigInt(projectId).toString(36)}_main`
  await stand.asOwner(
    'cn',
    `INSERT INTO "${schema}".o_item (id, title, price, category, owner, naturalbase_version, naturalbase_operationtime)
    SELECT 'r' || g, 'item ' || g, g % 1000, 'c' || g % 50, 'u' || g % 7, nextval('"${schema}".naturalbase_versions'), 0 FROM generate_series(1, ${rows}) g; ANALYZE "${schema}".o_item`,
  )
  await call(cloudDbSecurity, 'putSecurityRules', { body: { projectId, source: rules, baseVersion: 0 } })
  const prefix = '/agc/apigw/clouddb/clouddbservice'
  return {
    plane: `${stand.address}${prefix}`,
    prefix,
    headers,
    place: { cloudDBZoneName: 'main', objectTypeName: 'Item' },
  }
}
