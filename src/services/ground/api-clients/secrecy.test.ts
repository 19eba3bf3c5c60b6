import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../projects/contract.ts'
import { appOauth } from './app-oauth/contract.ts'
import {
  askToken,
  assertionOf,
  basic,
  callWith,
  listProjects,
  type Made,
  newClient,
  postForm,
  tokenOf,
} from './clients.testkit.ts'
import { apiClients } from './contract.ts'
import { debugCredentials } from './debug/contract.ts'
import { clientKeyCalls } from './keys/contract.ts'
import { assertionType } from './tokens/addresses.ts'

let stage: Stage
let owner: Person
let made: Made

beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  made = await newClient(owner)
})
afterAll(() => stage.close())

const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
const statusOf = async (one: string) => (await callWith(stage.app, one, listProjects)).statusCode

describe('an OAuth client of an app', () => {
  it('takes no bent redirect address, and its tokens open no call of ours', async () => {
    const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'With an app' } })
    const appId = stage.booted.server.ids.next()
    await stage.sql(
      'home',
      `INSERT INTO scope_things (thing_id, team_id, kind, project_id, name, zone) VALUES ($1, $2, 'app', $3, 'App', 'CN')`,
      [appId, owner.teamId, projectId],
    )
    const body = {
      appId,
      name: 'Sign-in',
      redirectUris: ['https://example.com/cb'],
      scopes: ['openid', 'push'] as never,
    }
    for (const bad of ['https://example.com/cb#x', 'https://*.example.com', 'https://a@evil.example', 'javascript:x']) {
      const reply = await owner.call(appOauth, 'createAppClient', {
        body: { ...body, redirectUris: ['https://ok.example/', bad] },
      })
      expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/redirectUris/1'])
    }
    const { client, clientSecret } = await owner.ok(appOauth, 'createAppClient', { body })
    const app = { clientId: client.clientId, secret: clientSecret ?? '', revision: 1 }
    const own = await tokenOf(stage.app, app)
    expect(read(own.split('.')[1])).toMatchObject({ aud: `http://localhost:8080/apps/${appId}`, scope: 'openid push' })
    expect(await statusOf(own)).toBe(401)
    const open = await owner.ok(appOauth, 'createAppClient', { body: { ...body, isPublic: true } })
    expect(open.clientSecret).toBeNull()
    const stranger = await stage.person()
    expect((await stranger.call(appOauth, 'listAppClients', { query: { appId } })).status).toBe(404)
  })
})

describe('signing keys', () => {
  it('are published before they sign and kept while what they signed is good; every process has the same', async () => {
    const other = await stage.another()
    const kidsOf = async (app = stage.app) =>
      ((await app.inject('/oauth2/v1/certs')).json().keys as { kid: string; d?: string }[]).map(one => one.kid)
    const [first] = await kidsOf()
    stage.clock.turn(30 * 86_400_000 - 3_500_000)
    await stage.booted.worker.sweep()
    const both = await kidsOf()
    expect(both).toHaveLength(2)
    expect(read((await tokenOf(stage.app, made)).split('.')[0]).kid).toBe(first)
    stage.clock.turn(3_700_000)
    const late = await tokenOf(other.app, made)
    expect(read(late.split('.')[0]).kid).toBe(both[1])
    expect(await statusOf(late)).toBe(200)
    stage.clock.turn(3 * 3_600_000)
    await stage.booted.worker.sweep()
    expect(await kidsOf()).toEqual([both[1]])
    const until = Date.now() + 2_000
    while ((await kidsOf(other.app)).length !== 1) expect(Date.now()).toBeLessThan(until)
    const stored = await stage.sql('home', 'SELECT * FROM client_signing_keys')
    expect(JSON.stringify(stored)).not.toMatch(/"d":/)
    owner = await stage.person()
    made = await newClient(owner)
  })
})

describe('no secret and no token', () => {
  it('stands in the log or in a row of the database', async () => {
    const lines: string[] = []
    const log = stage.booted.server.log as unknown as Record<symbol, unknown> & { level: string }
    log.level = 'trace'
    log[pino.symbols.streamSym] = { write: (line: string) => void lines.push(line) }
    const one = await newClient(owner)
    const good = await tokenOf(stage.app, one)
    const { credential } = await owner.ok(clientKeyCalls, 'createKeyPair', {
      body: { clientId: one.clientId, name: 'Key' },
    })
    const assertion = await assertionOf(stage, credential)
    const { clientSecret: next } = await owner.ok(apiClients, 'updateClient', {
      body: { clientId: one.clientId, revision: one.revision, action: 'rotate' },
      headers: { 'idempotency-key': 'rotate-1' },
    })
    const { client, clientSecret: keyed } = await owner.ok(apiClients, 'createClient', {
      body: { name: 'Keyed', permissions: ['projects.read'] },
      headers: { 'idempotency-key': 'create-1' },
    })
    const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Looked through' } })
    const { accessToken } = await owner.ok(debugCredentials, 'createDebugCredential', { body: { projectId } })
    await postForm(stage.app, 'token', {
      grant_type: 'client_credentials',
      client_assertion_type: assertionType,
      client_assertion: assertion,
    })
    await postForm(stage.app, 'revoke', { token: good }, basic(one.clientId, one.secret))
    await statusOf(good)
    await statusOf(`${good}x`)
    await askToken(stage.app, { ...one, clientId: client.clientId })
    // A failure inside, with everything under way.
    const query = stage.booted.server.pools.of('home')
    const broken = query.connect
    query.connect = (() => Promise.reject(new Error('broken on purpose'))) as never
    await askToken(stage.app, { ...one, secret: next ?? '' })
    query.connect = broken
    log.level = 'silent'
    expect(lines.join('')).toContain('broken on purpose')
    const kept: string[] = [lines.join('')]
    for (const database of ['home', 'CN'] as const) {
      const tables = await stage.sql<{ name: string }>(
        database,
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema IN ('public') AND table_type = 'BASE TABLE'`,
      )
      for (const { name } of tables)
        kept.push(JSON.stringify(await stage.sql(database, `SELECT t::text FROM "${name}" t LIMIT 5000`)))
    }
    const pem = credential.privateKey.split('\n')[1] ?? 'no key'
    const text = kept.join('\n')
    for (const secret of [one.secret, next, keyed, good, accessToken, assertion, pem]) {
      expect(secret?.length).toBeGreaterThan(20)
      expect(text.includes(secret ?? '')).toBe(false)
    }
  })
})
