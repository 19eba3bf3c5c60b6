import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../../testkit/stage.ts'
import { newClient, tokenOf } from '../../../../ground/api-clients/clients.testkit.ts'
import { type AppOnDevice, type Device, type DeviceUser, openApp } from '../../../app-auth/app-auth.testkit.ts'
import { authHookCalls } from '../../../app-auth/hooks-desk/contract.ts'
import { functionsIde } from '../../contract.ts'
import { openDoor, podsOf, until } from '../../functions.testkit.ts'
import { functionGovernance } from '../../governance/contract.ts'
import { defaults } from '../../governance/rules.ts'
import { functionQueue } from '../../queue/contract.ts'
import { functionScaling } from '../../scaling/contract.ts'
import { defaultManager } from '../../scaling/rules.ts'
import { functionTesting } from '../../testing/contract.ts'
import { functionTriggers } from '../contract.ts'
import type { AuthType } from '../rules.ts'

let stage: Stage
let app: AppOnDevice
let device: Device
let user: DeviceUser
let address = ''
let door: Awaited<ReturnType<typeof openDoor>>
beforeAll(async () => {
  door = await openDoor()
  stage = await openStage({ outboundAllow: [door.host] })
  app = await openApp(stage)
  device = await app.install()
  user = await device.anonymous()
  address = await stage.listen()
  door.leadTo(address)
})
afterAll(async () => {
  door.close()
  await stage.close()
})

let made = 0
async function open(content: string, config: { authType?: AuthType; enableUrlDecode?: boolean } = {}) {
  const functionName = `addressed-${++made}`
  const files = [{ path: 'index.js', content, encoding: 'utf8' as const }]
  const body = { projectId: app.projectId, functionName, files, instanceConcurrency: 10 }
  const { functionId } = await app.owner.ok(functionsIde, 'createFunctionWithCode', { body })
  const { trigger } = await app.owner.ok(functionTriggers, 'createTrigger', {
    params: { functionId },
    body: { typeCode: 'HTTP', qualifier: '$latest', name: 'address', config },
  })
  const path = new URL(trigger.url ?? '').pathname
  const ask = (below = '', init: RequestInit = {}) => fetch(`${address}${path}${below}`, init)
  return { functionId, functionName, trigger, path, ask }
}
const jsonOf = async (reply: Response) => (await reply.json()) as { ret: { code: number }; uid: string | null }
const echo = 'exports.handler = async (event, context) => ({ ...event, uid: context.auth?.uid ?? null })'

describe('an address', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('gives a function what %s sends', async method => {
    const { ask } = await open(echo)
    const sent = method === 'GET' ? {} : { body: '{"a":1}', headers: { 'content-type': 'application/json' } }
    const reply = await ask('/a/b%20c?x=1&y=2', { method, ...sent })
    expect([reply.status, await reply.json()]).toEqual([
      200,
      expect.objectContaining({
        ...{ path: '/a/b c', httpMethod: method, queryStringParameters: { x: '1', y: '2' } },
        ...{ body: method === 'GET' ? '' : '{"a":1}', isBase64Encoded: false, uid: null },
      }),
    ])
  })

  it('keeps the path as it was sent where that is wished, and bytes as base64', async () => {
    const { ask } = await open(echo, { enableUrlDecode: false })
    const reply = await ask('/b%20c', { method: 'POST', body: new Uint8Array([0xff, 0, 1]) })
    expect(await reply.json()).toMatchObject({ path: '/b%20c', body: '/wAB', isBase64Encoded: true })
  })

  it('answers as the function does, with a page that has no origin and no cookie', async () => {
    const { ask } = await open(
      `exports.handler = async (event, { HTTPResponse }) => new HTTPResponse('<h1>hi</h1>', { 'Set-Cookie': 'a=b', 'Clear-Site-Data': '"*"', 'X-Own': event.headers.cookie ?? 'none', 'Content-Security-Policy': "img-src 'none'" }, 'text/html', 201)`,
    )
    const reply = await ask('', { headers: { cookie: 'session=secret' } })
    const { headers } = reply
    expect([reply.status, await reply.text(), headers.get('x-own')]).toEqual([201, '<h1>hi</h1>', 'none'])
    expect([headers.get('set-cookie'), headers.get('clear-site-data')]).toEqual([null, null])
    expect(headers.get('content-security-policy')).toMatch(/^sandbox (?!.*same-origin).*, img-src 'none'$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('gives a fetch handler its request', async () => {
    const { ask } = await open(
      `exports.handler = { async fetch(request) { return Response.json({ at: new URL(request.url).pathname, said: await request.text() }, { status: 203 }) } }`,
    )
    const reply = await ask('/deep', { method: 'PUT', body: 'words' })
    expect([reply.status, await reply.json()]).toEqual([203, { at: '/deep', said: 'words' }])
  })

  it('takes 4 MB and no more', async () => {
    const { ask } = await open('exports.handler = async event => event.body.length')
    const most = 4 * 1024 * 1024
    expect(await (await ask('', { method: 'POST', body: 'x'.repeat(most) })).json()).toBe(most)
    const reply = await ask('', { method: 'POST', body: 'x'.repeat(most + 1) })
    expect([reply.status, (await jsonOf(reply)).ret.code]).toEqual([413, 210413004])
  })

  it('that is off, of a function that is off, unknown, or gone says so', async () => {
    const { ask, functionId, trigger } = await open(echo)
    const { triggerId, revision } = trigger
    const params = { functionId }
    const turn = (isEnabled: boolean, at: number) =>
      app.owner.ok(functionTriggers, 'updateTrigger', { params, body: { triggerId, revision: at, isEnabled } })
    const code = async (reply: Response) => [reply.status, (await jsonOf(reply)).ret.code]
    await turn(false, revision)
    expect(await code(await ask())).toEqual([503, 210503004])
    await turn(true, revision + 1)
    expect((await ask()).status).toBe(200)
    const { function: now } = await app.owner.ok(functionsIde, 'getFunction', { params })
    await app.owner.ok(functionsIde, 'updateFunction', { params, body: { revision: now.revision, isEnabled: false } })
    expect(await code(await ask())).toEqual([503, 210503003])
    await app.owner.ok(functionTriggers, 'deleteTrigger', { params, body: { triggerId } })
    expect(await code(await ask())).toEqual([404, 210404003])
    expect((await fetch(`${address}/cn/fn/nobody/x`)).status).toBe(404)
  })

  it('whose call fails names the record of it, and says how long a breaker that is open stays so', async () => {
    const { ask, functionId } = await open(`exports.handler = async () => { throw new Error('bad') }`)
    const failed = await ask()
    expect(failed.status).toBe(500)
    const params = { functionId }
    const { list } = await app.owner.ok(functionTesting, 'listCalls', { params, query: {} })
    expect(list.map(one => one.requestId)).toEqual([failed.headers.get('x-request-id')])
    const spec = { ...defaults.CIRCUITBREAKER, forced: 'OPEN' as const, waitInOpenMs: 30_000 }
    await app.owner.ok(functionGovernance, 'createCircuitBreaker', { params, body: { spec } })
    const held = await ask()
    expect([held.status, held.headers.get('retry-after')]).toEqual([429, '30'])
  })

  it('tells what it did last', async () => {
    const { ask, functionId } = await open(
      `exports.handler = async event => { if (event.path === '/bad') throw new Error('bad'); return 1 }`,
    )
    const last = async () =>
      (await app.owner.ok(functionTriggers, 'listTriggers', { params: { functionId }, query: {} })).list[0]
    expect(await last()).toMatchObject({ fired: 0, lastFiredAt: null, lastResult: null })
    await ask()
    expect(await last()).toMatchObject({ fired: 1, lastResult: 'SUCCESS' })
    expect((await ask('/bad')).status).toBe(500)
    expect(await last()).toMatchObject({ fired: 2, lastResult: 'FAIL' })
  })
})

describe('who may call', () => {
  let server = ''
  beforeAll(async () => {
    server = await tokenOf(stage.app, await newClient(app.owner, { permissions: ['appAuth.server'] }))
  })
  const callers = (): Record<string, Record<string, string>> => ({
    nobody: {},
    app: { authorization: `Bearer ${device.clientToken}` },
    user: { authorization: `Bearer ${device.clientToken}`, access_token: user.accessToken },
    server: { authorization: `Bearer ${server}`, productid: app.projectId },
    wrong: { authorization: 'Bearer wrong' },
  })
  it.each<[AuthType, string[]]>([
    ['none', ['nobody', 'app', 'user', 'server', 'wrong']],
    ['user', ['user']],
    ['apigw-client', ['app', 'user']],
    ['cloudgw-client', ['server']],
  ])('an address for %s: %s', async (authType, expected) => {
    const { ask } = await open(echo, { authType })
    const admitted: string[] = []
    for (const [who, headers] of Object.entries(callers())) {
      const reply = await ask('', { headers })
      if (reply.status === 200) admitted.push(who)
      else expect(reply.status).toBe(401)
      if (who === 'user' && reply.status === 200)
        expect((await jsonOf(reply)).uid).toBe(authType === 'none' ? null : user.uid)
    }
    expect(admitted).toEqual(expected)
  })

  it('is no app of another project', async () => {
    const other = await (await openApp(stage)).install()
    const { ask } = await open(echo, { authType: 'apigw-client' })
    expect((await ask('', { headers: { authorization: `Bearer ${other.clientToken}` } })).status).toBe(401)
  })
})

it('an app has a function called later, as its user, once for its key', async () => {
  const { functionId, functionName } = await open(echo)
  const headers = {
    authorization: `Bearer ${device.clientToken}`,
    access_token: user.accessToken,
    'x-invoke-mode': 'ASYNC',
    'idempotency-key': 'upload-1',
  }
  const call = (body: string) =>
    fetch(`${address}/agc/apigw/wisefunction/functions/space/${functionName}-$latest`, {
      method: 'POST',
      headers,
      body,
    })
  const replies = [await call('{"n":1}'), await call('{"n":1}')]
  expect(replies.map(reply => reply.status)).toEqual([202, 202])
  const [first, second] = (await Promise.all(replies.map(reply => reply.json()))) as { requestId: string }[]
  expect(second).toEqual(first)
  const params = { functionId, requestId: first?.requestId ?? '' }
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const { call: found, result } = await app.owner.ok(functionQueue, 'getAsyncCall', { params })
    if (found.state === 'SUCCESS') {
      expect(result).toMatchObject({ body: '{"n":1}', uid: user.uid })
      return
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('it was never called')
})

it.each(['fetch', 'node:http'])('functions that call each other in a circle by %s come to an end', async way => {
  const { path, ask } = await open(
    `const http = require('node:http')
    const get = url => new Promise((resolve, reject) => http.get(url, reply => {
      let text = ''
      reply.on('data', part => { text += part }).on('end', () => resolve({ status: reply.statusCode, text }))
    }).on('error', reject))
    exports.handler = async event => {
      const { at, way } = event.queryStringParameters
      const url = at + '?' + new URLSearchParams({ at, way })
      const reply = way === 'fetch' ? await fetch(url).then(async one => ({ status: one.status, text: await one.text() })) : await get(url)
      return reply.status === 508 ? 1 : 1 + JSON.parse(reply.text)
    }`,
  )
  const query = new URLSearchParams({ at: `${door.url}${path}`, way })
  const reply = await ask(`?${query}`)
  expect([reply.status, await reply.json()]).toEqual([200, 8])
})

it('sessions stay with a copy by what a request says of them', async () => {
  const { functionId, ask } = await open('const own = String(Math.random()); exports.handler = async () => own')
  const params = { functionId }
  const manager = { ...defaultManager, minInstances: 3 }
  await app.owner.ok(functionScaling, 'setManagerConfig', { params, body: manager })
  await until(
    () => podsOf(app.owner, functionId),
    list => list.length === 3,
  )
  const counted = async (rooms: string[]) => {
    const answers = []
    for (const room of rooms) answers.push(await (await ask('', { headers: { 'x-room': room } })).text())
    return [...Map.groupBy(answers, one => one).values()].map(list => list.length)
  }
  const sticky = { by: 'header' as const, name: 'X-Room', ttlSec: 600 }
  const spec = { policy: 'SessionStickiness' as const, sticky }
  await app.owner.ok(functionGovernance, 'createLoadBalancer', { params, body: { spec } })
  expect(await counted(Array(9).fill('blue'))).toEqual([9])
  expect((await counted(Array.from({ length: 60 }, (_, n) => `room ${n}`))).length).toBe(3)
})

it('a hook of the app’s users asks a function by its address', async () => {
  const other = await openApp(stage)
  const body = {
    projectId: other.projectId,
    functionName: 'gatekeeper',
    files: [
      {
        path: 'index.js',
        content: `exports.handler = async event => ({ allow: false, message: 'closed for ' + JSON.parse(event.body).type })`,
        encoding: 'utf8' as const,
      },
    ],
  }
  const { functionId } = await other.owner.ok(functionsIde, 'createFunctionWithCode', { body })
  const { url } = await other.owner.ok(functionTriggers, 'createTrigger', {
    params: { functionId },
    body: { typeCode: 'HTTP', qualifier: '$latest', name: 'hook', config: {} },
  })
  const { pathname } = new URL(url ?? '')
  const hook = { moment: 'BEFORE_CREATE' as const, timeoutMs: 5000, onFailure: 'DENY' as const, enabled: true }
  await other.owner.ok(authHookCalls, 'createHook', {
    body: { projectId: other.projectId, url: `${door.url}${pathname}`, ...hook },
  })
  await expect((await other.install()).anonymous()).rejects.toThrow(/closed for user.before_create/)
})
