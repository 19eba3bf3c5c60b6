import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { CallSpec, Contract } from '../src/kernel/contract.ts'
import { authSettings } from '../src/services/build/app-auth/settings/contract.ts'
import { cloudDb } from '../src/services/build/cloud-db/contract.ts'
import { cloudDbSecurity } from '../src/services/build/cloud-db/security/contract.ts'
import { apps } from '../src/services/distribute/apps/contract.ts'
import { projectConfigFiles } from '../src/services/ground/projects/config-files/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { inTurns, startProgram } from './measure.ts'
import { type Stand, withStand } from './stand.ts'

/**
 * Rows of an app’s user with rights and rules on, over 100,000 rows, beside Fastify and pg doing the same SQL; then 2,000
 * listeners of one query and how long a write needs to reach them all. parse-server is measured by its own program.
 */
const rows = 100_000
const listeners = 2_000
const rules = `agc.cloud.db[ match: /{zone}/Item/{id} {
  allow read: if resource.data.price >= 0 || (request.auth != null && resource.data.owner == request.auth.uid);
  allow create: if request.auth != null && request.resource.data.title.size() > 0;
} ]`

const asked = async <T = object>(url: string, method: string, headers: Record<string, string>, body?: object) => {
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

await withStand(async stand => {
  const call = callerOf(stand)
  const { projectId, headers } = await userOf(stand)
  await call(cloudDb, 'switchProduct', { body: { projectId, enabled: true, agree: true } })
  await call(cloudDb, 'createZone', { body: { projectId, name: 'main' } })
  const field = (fieldName: string, fieldType: string, more: object = {}) => ({ fieldName, fieldType, ...more })
  const fields = [
    field('id', 'String', { belongPrimaryKey: true }),
    field('title', 'String'),
    field('price', 'Integer'),
    field('category', 'String'),
    field('owner', 'String'),
  ]
  const on = (...names: string[]) => names.map(fieldName => ({ fieldName, sortType: 'DESC' }))
  const permissions = ['World', 'Authenticated', 'Creator', 'Administrator'].map(role => ({
    role,
    rights: ['Read', 'Upsert', 'Delete'],
  }))
  const objectType = {
    objectTypeName: 'Item',
    fields,
    indexes: [{ indexName: 'byCategory', indexList: on('category', 'price') }],
    permissions,
  }
  await call(cloudDb, 'createObjectType', { body: { projectId, objectType } })
  const schema = `cdb_${BigInt(projectId).toString(36)}_main`
  await stand.asOwner(
    'cn',
    `INSERT INTO "${schema}".o_item (id, title, price, category, owner, naturalbase_version, naturalbase_operationtime)
    SELECT 'r' || g, 'item ' || g, g % 1000, 'c' || g % 50, 'u' || g % 7, nextval('"${schema}".naturalbase_versions'), 0 FROM generate_series(1, ${rows}) g; ANALYZE "${schema}".o_item`,
  )
  await call(cloudDbSecurity, 'putSecurityRules', { body: { projectId, source: rules, baseVersion: 0 } })
  const bare = await startProgram('bare-rows.ts', {
    ...stand.env,
    TABLE: `"${schema}".o_item`,
    COUNTER: `"${schema}".naturalbase_versions`,
  })
  const plane = `${stand.address}/agc/apigw/clouddb/clouddbservice`
  const place = { cloudDBZoneName: 'main', objectTypeName: 'Item' }
  const equal = (fieldName: string, value: unknown) => ({ conditionType: 'EqualTo', fieldName, value })
  const row = { title: 'new', price: 5, category: 'c7', owner: 'u1' }
  const conditions = [
    equal('category', 'c7'),
    { conditionType: 'OrderBy', fieldName: 'price', value: 'desc' },
    { conditionType: 'Limit', value: { number: 100 } },
  ]
  const cases = [
    {
      name: 'get',
      path: '/v4/objects/queries',
      body: JSON.stringify({ ...place, queryConditions: [equal('id', 'r77')] }),
      bare: { id: 'r77' },
    },
    {
      name: 'query',
      path: '/v4/objects/queries',
      body: JSON.stringify({ ...place, queryConditions: conditions }),
      bare: {},
    },
    // Each row has a key of its own: autocannon puts one in.
    {
      name: 'create',
      path: '/v3/syncObjects',
      body: JSON.stringify({ ...place, operationType: 1, objects: [{ id: '[<id>]', ...row }] }),
      bare: row,
    },
  ]
  try {
    for (const one of cases) {
      const send = (url: string, body: string, more: Record<string, string>) => ({
        url,
        method: 'POST' as const,
        headers: { 'content-type': 'application/json', ...more },
        body,
        idReplacement: one.name === 'create',
      })
      const figures = await inTurns(
        { name: `ours ${one.name}`, pid: stand.pid, request: send(`${plane}${one.path}`, one.body, headers) },
        {
          name: `bare ${one.name}`,
          pid: bare.pid,
          request: send(`${bare.address}/${one.name}`, JSON.stringify(one.bare), {}),
        },
      )
      process.stdout.write(`${JSON.stringify({ call: one.name, ...figures, wanted: 0.6 })}\n`)
    }
    process.stdout.write(
      `${JSON.stringify({ listeners, ...(await reach(stand, plane, headers, place, row)), wantedMs: 200 })}\n`,
    )
  } finally {
    await bare.end()
  }
})

/** Milliseconds from the beginning of a write until every listener had it, the middle of twenty writes. */
async function reach(stand: Stand, plane: string, headers: Record<string, string>, place: object, row: object) {
  const heard: number[] = []
  const lines: WebSocket[] = []
  for (let at = 0; at < listeners; at += 100) {
    lines.push(
      ...(await Promise.all(
        Array.from({ length: 100 }, async () => {
          const line = new WebSocket(`${stand.address.replace('http', 'ws')}/agc/apigw/clouddb/subscribe`, { headers })
          await once(line, 'open')
          const ready = once(line, 'message')
          line.send(
            JSON.stringify({
              op: 'SUB',
              subId: 's',
              zone: 'main',
              type: 'Item',
              queryConditions: [{ conditionType: 'EqualTo', fieldName: 'category', value: 'live' }],
            }),
          )
          await ready
          line.on('message', data => String(data).includes('"CHANGE"') && heard.push(performance.now()))
          return line
        }),
      )),
    )
  }
  const times: number[] = []
  for (let write = 0; write < 20; write++) {
    heard.length = 0
    const began = performance.now()
    await asked(`${plane}/v3/syncObjects`, 'POST', headers, {
      ...place,
      operationType: 1,
      objects: [{ id: `live${write}`, ...row, category: 'live' }],
    })
    while (heard.length < listeners && performance.now() - began < 10_000)
      await new Promise(resolve => setTimeout(resolve, 5))
    times.push((heard.at(-1) ?? Number.POSITIVE_INFINITY) - began)
  }
  for (const line of lines) line.terminate()
  return { medianMs: times.sort((a, b) => a - b)[10] }
}
