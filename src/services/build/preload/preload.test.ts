import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { apps } from '../../distribute/apps/contract.ts'
import { newApp } from '../../distribute/packages/packages.testkit.ts'
import { functionsIde } from '../functions/contract.ts'
import { source as sourceFiles } from '../functions/functions.testkit.ts'
import { preload } from './contract.ts'

let stage: Stage
let owner: Person
let site: { url: string; asked: string[]; answer: http.RequestListener; close(): Promise<void> }
let appId = ''
let projectId = ''
const hour = 3_600_000

beforeAll(async () => {
  site = await openSite()
  stage = await openStage({ outboundAllow: [new URL(site.url).host] })
  owner = await stage.person()
  ;({ appId, projectId } = await newApp(owner))
  await stage.settle()
})
afterAll(async () => {
  await stage.close()
  await site.close()
})

async function openSite() {
  const asked: string[] = []
  const own = { answer: ((_request, response) => response.end('{}')) as http.RequestListener }
  const server = http.createServer((request, response) => {
    asked.push(String(request.url))
    own.answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>(resolve => server.close(() => resolve()))
  }
  return Object.assign(own, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close })
}

/** Sweeps as time goes on, so that those of a while ago are due. */
const sweep = async (ms = 600_000) => {
  stage.clock.turn(ms)
  await stage.booted.worker.sweep()
}
const asJson = (value: unknown): http.RequestListener => {
  return (_request, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}
const settings = (more: object = {}) => ({ isEnabled: true, timeoutSec: 5, cacheTtlSec: 600, ...more })
const create = (body: object) =>
  owner.call(preload, 'createPolicy', { body: { appId, ...settings(), ...body } as never })
const policyOf = async (kind: string) => {
  const { list } = await owner.ok(preload, 'listPolicies', { query: { appId } })
  return list.find(one => one.kind === kind) as NonNullable<(typeof list)[number]>
}
const change = async (kind: string, more: object) => {
  const { policyId, revision } = await policyOf(kind)
  return owner.call(preload, 'updatePolicy', { body: { policyId, revision, ...settings(more) } as never })
}
async function get(kind: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const url = `/agc/apigw/preload/v1/${appId}/${kind}?${new URLSearchParams(query)}`
  const reply = await stage.app.inject({ method: 'GET', url, headers })
  return { status: reply.statusCode, headers: reply.headers, text: reply.body, number: numberOf(reply.body) }
}
const numberOf = (text: string) => (text.startsWith('{"ret"') ? JSON.parse(text).ret.code : null)

describe('at installation, a function', () => {
  it('answers with JSON; what is kept is given until it is old', async () => {
    const content = `exports.handler = async event => ({ ...JSON.parse(event.body), at: process.hrtime.bigint().toString() })`
    const body = { projectId, functionName: 'first-page', files: sourceFiles(content) }
    await owner.ok(functionsIde, 'createFunctionWithCode', { body })
    const unknown = await create({ kind: 'INSTALL', source: 'FUNCTION', functionName: 'nobody' })
    expect([unknown.status, unknown.body.ret.code]).toEqual([404, 211404001])
    expect((await create({ kind: 'INSTALL', source: 'FUNCTION' })).status).toBe(400)
    expect((await get('INSTALL')).number).toBe(211404002)
    expect((await create({ kind: 'INSTALL', source: 'FUNCTION', functionName: 'first-page' })).status).toBe(200)
    expect((await create({ kind: 'INSTALL', source: 'FUNCTION', functionName: 'first-page' })).body.ret.code).toBe(
      211409001,
    )
    const first = await get('INSTALL', { params: 'a=b' })
    expect([first.status, first.headers['x-preload'], first.headers['content-type']]).toEqual([
      200,
      'MISS',
      'application/json; charset=utf-8',
    ])
    expect(JSON.parse(first.text)).toMatchObject({ appId, params: 'a=b' })
    const second = await get('INSTALL', { params: 'a=b' })
    expect([second.text, second.headers['x-preload']]).toEqual([first.text, 'HIT'])
    const known = await get('INSTALL', { params: 'a=b' }, { 'if-none-match': String(first.headers['etag']) })
    expect([known.status, known.text]).toEqual([304, ''])
    expect((await get('INSTALL', { params: 'c' })).headers['x-preload']).toBe('MISS')
    const all = await Promise.all(Array.from({ length: 10 }, () => get('INSTALL', { params: 'together' })))
    expect(new Set(all.map(one => one.text)).size).toBe(1)
  })

  it('that fails is told of, and so is one that answers what is no data', async () => {
    const files = sourceFiles(
      `exports.handler = async (event, context) => {
        const { params } = JSON.parse(event.body)
        if (params === 'page') return new context.HTTPResponse('<p>', {}, 'text/html', 200)
        if (params === 'large') return 'x'.repeat(3 * 1024 * 1024)
        throw new Error('no first page' + (params === 'odd' ? '\\0\\ud800' : ''))
      }`,
    )
    await owner.ok(functionsIde, 'createFunctionWithCode', { body: { projectId, functionName: 'failing', files } })
    await change('INSTALL', { source: 'FUNCTION', functionName: 'failing' })
    const failed = await get('INSTALL')
    expect([failed.status, failed.number]).toEqual([502, 211502001])
    expect(failed.text).toContain('no first page')
    expect((await get('INSTALL', { params: 'page' })).number).toBe(211415001)
    expect((await get('INSTALL', { params: 'large' })).number).toBe(211413001)
    expect(await policyOf('INSTALL')).toMatchObject({ lastStatus: 502 })
    // What PostgreSQL keeps in no text is told, too.
    expect((await get('INSTALL', { params: 'odd' })).number).toBe(211502001)
    expect((await policyOf('INSTALL')).lastProblem).toContain('no first page\ufffd\ufffd')
    expect((await get('INSTALL', { params: 'x'.repeat(1025) })).status).toBe(400)
  })
})

describe('a server of the team', () => {
  it('is for organisations, by https, at a public address', async () => {
    const wish = { kind: 'CHAIN_INSTALL', source: 'SERVER', url: `${site.url}/first` }
    const person = await create(wish)
    expect([person.status, person.body.ret.code]).toEqual([403, 211403001])
    expect((await owner.ok(preload, 'listPolicies', { query: { appId } })).maySendToServer).toBe(false)
    await stage.sql('home', 'UPDATE accounts SET verify_real_state = 3 WHERE account_id = $1', [owner.accountId])
    expect((await create({ ...wish, url: 'http://example.com/' })).body.ret.code).toBe(211400001)
    for (const url of ['https://169.254.169.254/latest', 'https://10.0.0.1/', 'https://[::1]/', 'https://localhost/'])
      expect([url, (await create({ ...wish, url })).body.ret.code]).toEqual([url, 211400002])
    expect((await owner.ok(preload, 'listPolicies', { query: { appId } })).total).toBe(1)
    expect((await create(wish)).status).toBe(200)
  })

  it('gets the link that led to the installation, and nothing else of the device', async () => {
    site.answer = asJson({ page: 'shop' })
    expect((await get('CHAIN_INSTALL')).status).toBe(400)
    const reply = await get('CHAIN_INSTALL', { link: 'https://a.example/?x=1&y=2', token: 'kept away' })
    expect([reply.status, reply.text]).toEqual([200, '{"page":"shop"}'])
    const url = new URL(String(site.asked.at(-1)), site.url)
    expect(Object.fromEntries(url.searchParams)).toEqual({ appId, link: 'https://a.example/?x=1&y=2' })
  })

  it('that leads elsewhere is followed twice, and never to what is not public', async () => {
    const leads = (to: (turn: number) => string): http.RequestListener => {
      return (request, response) => {
        const turn = Number(new URL(String(request.url), site.url).searchParams.get('turn') ?? 0)
        if (turn === 2 && to(9) === '') return void response.setHeader('content-type', 'text/plain').end('there')
        response.writeHead(302, { location: to(turn + 1) }).end()
      }
    }
    site.answer = leads(turn => (turn === 9 ? '' : `${site.url}/?turn=${turn}`))
    expect((await get('CHAIN_INSTALL', { link: 'two' })).text).toBe('there')
    site.answer = leads(turn => `${site.url}/?turn=${turn}`)
    expect((await get('CHAIN_INSTALL', { link: 'three' })).number).toBe(211502001)
    const before = site.asked.length
    site.answer = leads(() => 'http://169.254.169.254/latest/meta-data')
    expect((await get('CHAIN_INSTALL', { link: 'inside' })).number).toBe(211502001)
    expect(site.asked.length).toBe(before + 1)
  })

  it('that hangs or sends too much is cut', async () => {
    await change('CHAIN_INSTALL', { source: 'SERVER', url: `${site.url}/slow`, timeoutSec: 1 })
    site.answer = () => undefined
    const startedAt = performance.now()
    expect((await get('CHAIN_INSTALL', { link: 'hangs' })).number).toBe(211502001)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await change('CHAIN_INSTALL', { source: 'SERVER', url: `${site.url}/large` })
    site.answer = (_request, response) =>
      response.setHeader('content-type', 'text/plain').end('x'.repeat(3 * 1024 * 1024 + 1))
    expect((await get('CHAIN_INSTALL', { link: 'large' })).number).toBe(211413001)
    site.answer = (_request, response) => response.writeHead(500).end('broken here')
    expect((await get('CHAIN_INSTALL', { link: 'broken' })).text).toContain('broken here')
  })
})

it('is counted by hour: what was kept, fetched and failed', async () => {
  site.answer = asJson('counted')
  await change('CHAIN_INSTALL', { source: 'SERVER', url: `${site.url}/counted` })
  const before = (await policyOf('CHAIN_INSTALL')).today
  for (let turn = 0; turn < 3; turn++) await get('CHAIN_INSTALL', { link: 'counted' })
  site.answer = (_request, response) => response.writeHead(500).end()
  await get('CHAIN_INSTALL', { link: 'failed' })
  const { policyId, today } = await policyOf('CHAIN_INSTALL')
  const { requests, hits, errors, bytes } = today
  const more = [requests - before.requests, hits - before.hits, errors - before.errors, bytes - before.bytes]
  expect(more).toEqual([4, 2, 1, 27])
  const { points, keptAnswers } = await owner.ok(preload, 'getStatistics', { query: { policyId, hours: 2 } })
  expect(points.reduce((sum, one) => sum + one.hits, 0)).toBe(hits)
  expect(points.length).toBe(2)
  expect(keptAnswers).toBe(1)
})

it('of another team is not there, and one that is off or deleted answers nobody', async () => {
  const stranger = await stage.person()
  const { policyId, revision } = await policyOf('CHAIN_INSTALL')
  expect((await stranger.call(preload, 'listPolicies', { query: { appId } })).status).toBe(404)
  expect((await stranger.call(preload, 'deletePolicy', { query: { policyId } })).status).toBe(404)
  expect((await stranger.call(preload, 'getStatistics', { query: { policyId } })).status).toBe(404)
  const body = { policyId, revision: revision + 1, ...settings({ source: 'FUNCTION', functionName: 'first-page' }) }
  expect((await owner.call(preload, 'updatePolicy', { body: body as never })).status).toBe(409)
  await change('CHAIN_INSTALL', { source: 'SERVER', url: `${site.url}/off`, isEnabled: false })
  expect((await get('CHAIN_INSTALL', { link: 'off' })).number).toBe(211404002)
  await owner.ok(preload, 'deletePolicy', { query: { policyId } })
  const other = await newApp(owner)
  await stage.settle()
  const wish = {
    appId: other.appId,
    kind: 'INSTALL' as const,
    ...settings({ source: 'SERVER', url: `${site.url}/end` }),
  }
  const made = await owner.ok(preload, 'createPolicy', { body: wish as never })
  site.answer = asJson('end')
  const url = `/agc/apigw/preload/v1/${other.appId}/INSTALL`
  expect((await stage.app.inject({ method: 'GET', url })).body).toBe('"end"')
  await owner.ok(preload, 'listPolicies', { query: { appId: other.appId } })
  await owner.ok(apps, 'deleteApp', { query: { appId: other.appId } })
  await stage.settle()
  expect((await stage.app.inject({ method: 'GET', url })).statusCode).toBe(404)
  for (const table of ['policies', 'answers', 'registrations', 'counts']) {
    const text = `SELECT * FROM preload_${table} WHERE policy_id = ANY($1::bigint[])`
    expect([table, await stage.sql('CN', text, [[policyId, made.policyId]])]).toEqual([table, []])
  }
})

describe('as time goes on', () => {
  beforeAll(async () => {
    const from = { source: 'SERVER', cacheTtlSec: 60 }
    const made = [
      await create({ ...from, kind: 'CHAIN_INSTALL', url: `${site.url}/kept` }),
      await create({ ...from, kind: 'PERIODIC', url: `${site.url}/news`, cacheTtlSec: 86_400 }),
    ]
    expect(made.map(one => one.status)).toEqual([200, 200])
  })

  it('a source that fails later leaves what was good last for a day', async () => {
    site.answer = asJson(1)
    expect((await get('CHAIN_INSTALL', { link: 'kept' })).text).toBe('1')
    site.answer = (_request, response) => response.writeHead(503).end()
    stage.clock.turn(61_000)
    const stale = await get('CHAIN_INSTALL', { link: 'kept' })
    expect([stale.text, stale.headers['x-preload']]).toEqual(['1', 'STALE'])
    stage.clock.turn(24 * hour)
    expect((await get('CHAIN_INSTALL', { link: 'kept' })).number).toBe(211502001)
  })

  it('again and again, devices that registered get an answer that was fetched before they ask', async () => {
    let edition = 1
    site.answer = (request, response) => asJson(edition)(request, response)
    const register = async (token: string) => {
      const url = `/agc/apigw/preload/v1/${appId}/PERIODIC`
      return stage.app.inject({ method: 'POST', url, payload: { token, params: 'all' } })
    }
    const reply = await register('device-1')
    expect(reply.json().endsAt - stage.clock.now()).toBeGreaterThan(71 * hour)
    const asked = () => site.asked.filter(one => one.includes('device-1')).length
    await sweep()
    expect(asked()).toBe(1)
    const known = await get('PERIODIC', { token: 'device-1', params: 'all' })
    expect([known.text, known.headers['x-preload']]).toEqual(['1', 'HIT'])
    edition = 2
    stage.clock.turn(6 * hour)
    await register('device-1')
    await sweep()
    expect(asked()).toBe(1)
    stage.clock.turn(7 * hour)
    await sweep()
    await sweep()
    expect(asked()).toBe(2)
    expect((await get('PERIODIC', { token: 'device-1', params: 'all' })).text).toBe('2')
    const rows = await stage.sql('CN', 'SELECT * FROM preload_registrations', [])
    expect(JSON.stringify(rows)).not.toContain('device-1')
    stage.clock.turn(73 * hour)
    await sweep()
    expect(asked()).toBe(2)
    await sweep(hour)
    expect(await stage.sql('CN', 'SELECT * FROM preload_registrations', [])).toEqual([])
  })
})
