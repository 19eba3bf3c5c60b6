import type autocannon from 'autocannon'
import pg from 'pg'
import { asked } from './app-rows.ts'
import { startProgram } from './measure.ts'
import type { Stand } from './stand.ts'

/** Where unleash-server is installed; it is no part of the product nor of its tests. */
export const unleashFolder: string | undefined = process.env['UNLEASH_SERVER']

const database = 'unleash_flags'
const lifted = ['SDK_API', 'TOKEN_AUTHENTICATION', 'FRONTEND_METRICS', 'REGISTER_CLIENT']
const admin = { authorization: '*:*.bench-admin' }
const app = { authorization: 'default:production.bench-frontend' }

/** unleash-server over a database of the same PostgreSQL with flags that are on for the context: a rule, else a half by lot. */
export async function openUnleashFlags(stand: Stand, flags: readonly string[], context: Record<string, string>) {
  const owner = new URL(stand.databases.home?.ownerUrl.replace('@/', '@localhost/') ?? '')
  const host = owner.searchParams.get('host') ?? ''
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres' })
  await client.connect()
  await client.query(`CREATE DATABASE ${database}`).finally(() => client.end())
  const { address, pid, end } = await startProgram('unleash-server.ts', {
    NODE_ENV: 'production',
    UNLEASH_DATABASE: database,
    UNLEASH_DATABASE_HOST: host,
    ...Object.fromEntries(lifted.map(name => [`${name}_RATE_LIMIT_PER_MINUTE`, '100000000'])),
    ...{ CHECK_VERSION: 'false', SEND_TELEMETRY: 'false', LOG_LEVEL: 'error' },
    ...{ INIT_ADMIN_API_TOKENS: admin.authorization, INIT_FRONTEND_API_TOKENS: app.authorization },
  })
  const project = `${address}/api/admin/projects/default/features`
  const post = async (path: string, body: object) => {
    const headers = { ...admin, 'content-type': 'application/json' }
    const reply = await fetch(`${project}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
  }
  const strategy = (rollout: string, groupId: string, more: object) => ({
    ...{ name: 'flexibleRollout', parameters: { rollout, stickiness: 'userId', groupId }, ...more },
  })
  const variant = (name: string) => ({
    ...{ name, weight: 500, weightType: 'variable', stickiness: 'userId' },
    payload: { type: 'string', value: `value ${name}` },
  })
  const constraints = [
    { contextName: 'country', operator: 'IN', values: ['DE', 'FR', 'SG'] },
    { contextName: 'appVersion', operator: 'SEMVER_GT', value: '1.2.0' },
  ]
  for (const name of flags) {
    await post('', { name, type: 'release' })
    const here = `/${name}/environments/production`
    await post(`${here}/strategies`, strategy('100', name, { constraints }))
    await post(`${here}/strategies`, strategy('50', name, { variants: [variant('a'), variant('b')] }))
    await post(`${here}/on`, {})
  }
  const { userId = '', ...rest } = context
  const said = Object.entries(rest).map(([name, value]) => [`properties[${name}]`, value] as [string, string])
  const request: autocannon.Options = {
    url: `${address}/api/frontend?${new URLSearchParams([['userId', userId], ...said])}`,
    headers: app,
  }
  const count = async () => (await asked<{ toggles: object[] }>(request.url, 'GET', app)).toggles.length
  // It reads its flags anew every some seconds.
  for (let waited = 0; (await count()) < flags.length; waited++) {
    if (waited === 60) throw new Error(`unleash-server has ${await count()} of ${flags.length} flags on`)
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
  return { pid, end, request }
}
