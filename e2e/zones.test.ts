import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apps } from '../src/services/distribute/apps/contract.ts'
import { solidPng } from '../src/services/distribute/packages/apk/png.testkit.ts'
import { versions } from '../src/services/distribute/versions/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { hasBrowser, startLook } from './browser.ts'
import { Cluster, type Member } from './cluster.ts'
import { firstSignIns, signIn, until, type Visitor } from './loggia.ts'

/** What an operator has before several zones: the zone in the path says which server answers. */
async function startBalancer(china: Member, germany: Member): Promise<http.Server> {
  const balancer = http.createServer((request, reply) => {
    const { port } = request.url?.startsWith('/de/') ? germany : china
    const { method, url, headers } = request
    const onward = http.request({ port, method, path: url, headers }, answer => {
      reply.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    request.pipe(onward)
  })
  await new Promise<void>(resolve => balancer.listen(0, '127.0.0.1', resolve))
  return balancer
}

describe('two server processes with ZONES=CN and ZONES=DE', () => {
  let cluster: Cluster
  let balancer: http.Server
  let origin: string
  let china: Visitor
  let germany: Visitor
  let appId: string
  beforeAll(async () => {
    cluster = await Cluster.start(2, { LOGGIA_ZONES_ELSEWHERE: 'CN,DE' }, ['CN', 'DE'])
    const [first, second] = cluster.members as [Member, Member]
    balancer = await startBalancer(first, second)
    origin = `http://localhost:${(balancer.address() as AddressInfo).port}`
    china = await signIn(origin, cluster.dataDir, 'administrator')
    germany = china.at(`${origin}/de`)
  })
  afterAll(async () => {
    balancer?.closeAllConnections()
    balancer?.close()
    await cluster?.close()
  })

  it('serve one set of accounts, teams and projects', async () => {
    const { projectId } = await china.ok(projects, 'createProject', { body: { name: 'Rhine', zone: 'DE' } })
    const wish = {
      projectId,
      packageType: 'ANDROID' as const,
      defaultLang: 'enUS',
      deviceTypes: [4],
      kindMainTag: 10101,
    }
    appId = (await germany.ok(apps, 'createApp', { body: { ...wish, name: 'Barge' } })).appId
    await germany.ok(versions, 'getVersion', { query: { appId } })
    await germany.upload(solidPng(216), 'icon.png', 'app_img')
    await until('the count of apps', async () => {
      const { list } = await china.ok(projects, 'listProjects')
      return list.some(project => project.projectId === projectId && project.appCount === 1)
    })
  })

  it('keep the rows, files and events of a project in its zone, and nowhere else', async () => {
    const tablesWith = async (database: 'CN' | 'DE') => {
      const tables = await cluster.sql<{ name: string }>(
        database,
        `SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      )
      const found: string[] = []
      for (const { name } of tables) {
        const rows = await cluster.sql(
          database,
          `SELECT 1 FROM ${name} t WHERE to_jsonb(t)::text LIKE '%${appId}%' LIMIT 1`,
        )
        if (rows.length > 0) found.push(name)
      }
      return found
    }
    expect(await tablesWith('DE')).toEqual(expect.arrayContaining(['apps', 'versions', 'audit', 'outbox']))
    expect(await tablesWith('CN')).toEqual([])
    const files = (database: 'CN' | 'DE') => cluster.sql(database, 'SELECT 1 FROM file_objects')
    expect([(await files('CN')).length, (await files('DE')).length]).toEqual([0, 1])
  })

  it('refuse a zone they do not serve with the words of the specification', async () => {
    const [first, second] = cluster.members as [Member, Member]
    const replies = [
      await china.at(`${first.url}/de`).call(apps, 'listApps'),
      await china.at(`${second.url}/cn`).call(apps, 'listApps'),
    ]
    const refused = [400, { code: 204290001, msg: 'the zone Id is invalid' }]
    expect(replies.map(reply => [reply.status, reply.body['ret']])).toEqual([refused, refused])
  })

  it.skipIf(!hasBrowser)('serve one console', async () => {
    const look = await startLook({ origin })
    const { loginName, password } = firstSignIns(cluster.dataDir)['administrator'] ?? { loginName: '', password: '' }
    await look.signInAs(loginName, password)
    await look.open('/apps?zone=DE')
    await look.page.getByRole('link', { name: 'Barge' }).click()
    await look.page.locator('#page h1', { hasText: 'Barge' }).waitFor()
    await look.checkClean().finally(() => look.close())
  })
})
