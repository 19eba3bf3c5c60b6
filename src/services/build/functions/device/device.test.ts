import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, type Device, type DeviceUser, openApp } from '../../app-auth/app-auth.testkit.ts'
import { functionAliases } from '../aliases/contract.ts'
import { functionsIde } from '../contract.ts'
import { until } from '../functions.testkit.ts'
import { functionGovernance } from '../governance/contract.ts'
import { defaults } from '../governance/rules.ts'
import { functionQueue } from '../queue/contract.ts'
import { functionTesting } from '../testing/contract.ts'

let stage: Stage
let app: AppOnDevice
let device: Device
let user: DeviceUser
/** Lines of the server's log that tell of its own faults. */
const faults: string[] = []
beforeAll(async () => {
  stage = await openStage({ logTo: { write: line => void (line.includes('"level":50') && faults.push(line)) } })
  app = await openApp(stage)
  device = await app.install()
  user = await device.anonymous()
})
afterAll(() => stage.close())

const deploy = async (functionName: string, content: string, more: object = {}) => {
  const body = {
    projectId: app.projectId,
    functionName,
    files: [{ path: 'index.js', content, encoding: 'utf8' as const }],
  }
  return (await app.owner.ok(functionsIde, 'createFunctionWithCode', { body: { ...body, ...more } })).function
}

async function call(target: string, body: unknown = {}, more: Record<string, string> = {}) {
  const reply = await stage.app.inject({
    method: 'POST',
    url: `/agc/apigw/wisefunction/functions/space/${encodeURIComponent(target)}`,
    headers: { authorization: `Bearer ${device.clientToken}`, 'content-type': 'application/json', ...more },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: reply.statusCode, headers: reply.headers, text: reply.body, json: () => JSON.parse(reply.body) }
}

describe('an app calls', () => {
  it('a version, an alias and what is newest, as itself and as its user', async () => {
    const { functionId } = await deploy(
      'who-calls',
      'exports.handler = async (event, context) => ({ uid: context.auth?.uid ?? null, ...JSON.parse(event.body) })',
    )
    await app.owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
    await app.owner.ok(functionAliases, 'createAlias', {
      params: { functionId },
      body: { name: 'the-live', version: '1' },
    })
    for (const qualifier of ['$latest', '1', 'the-live']) {
      const reply = await call(`who-calls-${qualifier}`, { n: 1 }, { access_token: user.accessToken })
      expect([reply.status, reply.json()]).toEqual([200, { uid: user.uid, n: 1 }])
    }
    expect((await call('who-calls-1', { n: 2 })).json()).toEqual({ uid: null, n: 2 })
  })

  it('and gets an HTTP answer as it was made, without what is the server’s own', async () => {
    const code = `exports.handler = async (event, context) => new context.HTTPResponse(JSON.stringify(event.headers), { 'X-Own': 'yes', 'Set-Cookie': 'a=b', 'Content-Length': '1', 'Bad\\nName': 'x' }, 'text/plain', 202)`
    await deploy('answers', code)
    const reply = await call('answers-$latest', {}, { cookie: 'session=secret', 'x-mine': 'mine' })
    expect([reply.status, reply.headers['x-own'], reply.headers['content-type']]).toEqual([202, 'yes', 'text/plain'])
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(reply.json()['x-mine']).toBe('mine')
    expect(reply.text).not.toMatch(/secret|Bearer/)
  })

  it.each<[string, string, object, number, number]>([
    ['what throws', `exports.handler = () => { throw new Error('no') }`, {}, 500, 210500002],
    [
      'what is never done',
      'exports.handler = () => new Promise(() => setInterval(() => 1, 1000))',
      { timeoutMs: 200 },
      504,
      210504001,
    ],
    ['what answers too much', `exports.handler = async () => 'x'.repeat(7e6)`, {}, 500, 210413002],
    ['what cannot be JSON', 'exports.handler = async () => { const a = []; a.push(a); return a }', {}, 422, 210422001],
  ])('%s and is told so; it is no fault of the server', async (what, code, more, status, number) => {
    const name = what.toLowerCase().replace(/\W+/g, '-')
    await deploy(name, code, more)
    const reply = await call(`${name}-$latest`)
    expect([reply.status, reply.json().ret.code]).toEqual([status, number])
    expect(faults).toEqual([])
  })

  it('nothing without a token, with a wrong one, of another project, switched off, or that is not there', async () => {
    const other = await openApp(stage)
    const body = { projectId: other.projectId, functionName: 'elsewhere' }
    await other.owner.ok(functionsIde, 'createFunction', { body })
    const off = await deploy('off', 'exports.handler = async () => 1')
    await app.owner.ok(functionsIde, 'updateFunction', {
      params: { functionId: off.functionId },
      body: { revision: off.revision, isEnabled: false },
    })
    expect((await call('off-$latest', {}, { authorization: '' })).json().ret.code).toBe(205524993)
    expect((await call('off-$latest', {}, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await call('off-$latest', {}, { access_token: 'wrong' })).json().ret.code).toBe(205524994)
    expect((await call('elsewhere-$latest')).status).toBe(404)
    expect((await call('off-$latest')).json().ret.code).toBe(210503003)
    expect((await call('off-nowhere')).status).toBe(503)
    expect((await call('nobody-$latest')).status).toBe(404)
    expect((await call('../../etc-passwd')).status).toBe(404)
    expect((await call('off-$latest', 'x'.repeat(6 * 1024 * 1024 + 1))).status).toBe(413)
  })
})

it('what apps call follows each change, on every server: another alias, switched off, gone and made anew', async () => {
  const other = await stage.another()
  const { functionId } = await deploy('changing', `exports.handler = async () => 'one'`)
  const params = { functionId }
  const publish = () => app.owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
  const change = async (body: object) => {
    const { function: now } = await app.owner.ok(functionsIde, 'getFunction', { params })
    const way = 'files' in body ? ('updateCode' as const) : ('updateFunction' as const)
    await app.owner.ok(functionsIde, way, { params, body: { revision: now.revision, ...body } as never })
  }
  const everywhere = async (wanted: unknown) => {
    for (const { app: door } of [stage.booted, other])
      await until(
        async () => {
          const reply = await door.inject({
            method: 'POST',
            url: `/agc/apigw/wisefunction/functions/space/${encodeURIComponent('changing-live')}`,
            headers: { authorization: `Bearer ${device.clientToken}`, 'content-type': 'application/json' },
            payload: '{}',
          })
          const body = reply.json() as { ret?: { code: number } } | string
          return typeof body === 'object' ? body.ret?.code : body
        },
        found => found === wanted,
        60_000,
      )
  }
  await publish()
  const { alias } = await app.owner.ok(functionAliases, 'createAlias', { params, body: { name: 'live', version: '1' } })
  await everywhere('one')
  await change({ files: [{ path: 'index.js', content: `exports.handler = async () => 'two'`, encoding: 'utf8' }] })
  await publish()
  await everywhere('one')
  await app.owner.ok(functionAliases, 'updateAlias', {
    params: { functionId, name: 'live' },
    body: { revision: alias.revision, version: '2' },
  })
  await everywhere('two')
  await change({ isEnabled: false })
  await everywhere(210503003)
  await app.owner.ok(functionsIde, 'deleteFunction', { params, query: { force: 'true' } })
  await everywhere(210404001)
  const anew = await deploy('changing', `exports.handler = async () => 'anew'`)
  await app.owner.ok(functionsIde, 'publishVersion', { body: { functionId: anew.functionId } })
  const again = { params: { functionId: anew.functionId }, body: { name: 'live', version: '1' } }
  await app.owner.ok(functionAliases, 'createAlias', again)
  await everywhere('anew')
})

it('a body of control characters alone, which takes six times as much as JSON, ends no copy', async () => {
  const { functionId } = await deploy('many-signs', 'exports.handler = async event => event.body.length')
  const bytes = 6 * 1024 * 1024
  const replies = []
  for (const sign of ['\u0001', 'x', '"']) replies.push(await call('many-signs-$latest', sign.repeat(bytes)))
  expect(replies.map(reply => [reply.status, reply.json().ret?.code ?? reply.json()])).toEqual([
    [413, 210413006],
    [200, bytes],
    [200, bytes],
  ])
  const { list } = await app.owner.ok(functionTesting, 'listCalls', { params: { functionId }, query: {} })
  expect(list.map(one => [one.outcome, one.isCold])).toEqual([
    ['SUCCESS', false],
    ['SUCCESS', false],
    ['REFUSED', true],
  ])
})

it('a line or an error with what PostgreSQL keeps in no text costs no record', async () => {
  const { functionId } = await deploy(
    'odd-words',
    `exports.handler = async event => { console.log('a\\0b\\ud800'); if (event.body.includes('bad')) throw new Error('c\\0d'); return 1 }`,
  )
  expect((await call('odd-words-$latest')).status).toBe(200)
  expect((await call('odd-words-$latest', { bad: true })).status).toBe(500)
  const { list } = await app.owner.ok(functionTesting, 'listCalls', { params: { functionId }, query: {} })
  expect(list.map(one => [one.outcome, one.errorMessage, one.lines.map(each => each.line)])).toEqual([
    ['ERROR', 'c\ufffdd', ['a\ufffdb\ufffd']],
    ['SUCCESS', null, ['a\ufffdb\ufffd']],
  ])
})

it('an answer names the record of its call, and nothing besides', async () => {
  const code = `exports.handler = async event => { if (event.body === '"throw"') throw new Error('no'); return 1 }`
  const { functionId } = await deploy('named', code)
  const ids = [
    (await call('named-$latest')).headers['x-request-id'],
    (await call('named-$latest', '"throw"')).headers['x-request-id'],
    (await call('named-$latest')).headers['x-request-id'],
  ]
  const { list } = await app.owner.ok(functionTesting, 'listCalls', { params: { functionId }, query: {} })
  expect(list.map(one => one.requestId)).toEqual(ids.reverse())
})

it('long lines of calls that end together are all kept, in whatever letters', async () => {
  const { functionId } = await deploy(
    'long-words',
    `exports.handler = async event => { const { n } = JSON.parse(event.body); for (let k = 0; k < 4; k++) console.log('жα語'[n % 3].repeat(9_000 + n)); return n }`,
    { instanceConcurrency: 10 },
  )
  const replies = await Promise.all(Array.from({ length: 9 }, (_, n) => call('long-words-$latest', { n })))
  expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 200))
  const { list } = await app.owner.ok(functionTesting, 'listCalls', { params: { functionId }, query: {} })
  const lines = list.flatMap(one => one.lines.map(each => each.line)).sort((a, b) => a.length - b.length)
  expect(lines).toEqual(replies.flatMap((_, n) => Array(4).fill('жα語'.charAt(n % 3).repeat(9_000 + n))))
})

it('a breaker that is open holds apps back, and says for how long', async () => {
  const { functionId } = await deploy('held-back', 'exports.handler = async () => 1')
  const spec = { ...defaults.CIRCUITBREAKER, forced: 'OPEN' as const, waitInOpenMs: 30_000 }
  await app.owner.ok(functionGovernance, 'createCircuitBreaker', { params: { functionId }, body: { spec } })
  const reply = await call('held-back-$latest')
  expect([reply.status, reply.headers['retry-after'], reply.json().ret.code]).toEqual([429, '30', 210429004])
})

it('200 calls at once on a function at rest all get their answer', async () => {
  await deploy('crowd', 'exports.handler = async event => JSON.parse(event.body).n', { instanceConcurrency: 20 })
  const replies = await Promise.all(Array.from({ length: 200 }, (_, n) => call('crowd-$latest', { n })))
  expect(replies.map(reply => [reply.status, reply.text])).toEqual(replies.map((_, n) => [200, String(n)]))
})

it('a copy that is killed takes only what it was doing along', async () => {
  const { functionId } = await deploy(
    'fragile',
    `exports.handler = async event => { const { n } = JSON.parse(event.body); if (n === 3) process.abort(); await new Promise(r => setTimeout(r, 20)); return n }`,
  )
  const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => call('fragile-$latest', { n })))
  expect(replies.map(reply => reply.status)).toEqual(replies.map((_, n) => (n === 3 ? 500 : 200)))
  const { list } = await app.owner.ok(functionTesting, 'listCalls', {
    params: { functionId },
    query: { outcome: 'CRASH' },
  })
  expect(list.length).toBe(1)
})

it('an alias with 10 of 100 for the second version keeps to it', async () => {
  const { functionId, revision } = await deploy('share', `exports.handler = async () => 'one'`, {
    instanceConcurrency: 50,
  })
  await app.owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
  const files = [{ path: 'index.js', content: `exports.handler = async () => 'two'`, encoding: 'utf8' as const }]
  await app.owner.ok(functionsIde, 'updateCode', { params: { functionId }, body: { revision: revision + 1, files } })
  await app.owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
  const additional = { version: '2', mode: 'WEIGHT' as const, weight: 10 }
  await app.owner.ok(functionAliases, 'createAlias', {
    params: { functionId },
    body: { name: 'live', version: '1', additional },
  })
  let second = 0
  for (let round = 0; round < 10; round++) {
    const replies = await Promise.all(Array.from({ length: 100 }, () => call('share-live')))
    second += replies.filter(reply => reply.text === '"two"').length
  }
  // Chi-square with one degree of freedom; above 15.1 once in ten thousand runs.
  const chi = (second - 100) ** 2 / 100 + (second - 100) ** 2 / 900
  expect(chi).toBeLessThan(15.1)
})

it('an alias that goes by a header does so for calls that nobody waits for, too', async () => {
  const { functionId, revision } = await deploy('ruled', `exports.handler = async () => 'one'`)
  await app.owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
  const files = [{ path: 'index.js', content: `exports.handler = async () => 'two'`, encoding: 'utf8' as const }]
  await app.owner.ok(functionsIde, 'updateCode', { params: { functionId }, body: { revision: revision + 1, files } })
  await app.owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
  const rules = [{ type: 'HEADER' as const, param: 'X-Tier', op: 'in' as const, value: 'beta,staff' }]
  const additional = { version: '2', mode: 'RULE' as const, combine: 'OR' as const, rules }
  await app.owner.ok(functionAliases, 'createAlias', {
    params: { functionId },
    body: { name: 'live', version: '1', additional },
  })
  expect((await call('ruled-live', {}, { 'x-tier': 'beta' })).text).toBe('"two"')
  const answered = async (tier: string) => {
    const reply = await call('ruled-live', {}, { 'x-tier': tier, 'x-invoke-mode': 'ASYNC' })
    expect(reply.status).toBe(202)
    const { requestId } = reply.json() as { requestId: string }
    const look = () => app.owner.ok(functionQueue, 'getAsyncCall', { params: { functionId, requestId } })
    return (await until(look, found => found.call.state === 'SUCCESS')).result
  }
  expect([await answered('staff'), await answered('nobody')]).toEqual(['two', 'one'])
})
