import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from '../config.testkit.ts'
import { faultsAs } from './ofrep-schemas.testkit.ts'

let stage: Stage
let config: ConfigStage
beforeAll(async () => {
  stage = await openStage()
  config = await openConfig(stage)
  await config.publish(template)
})
afterAll(() => stage.close())

const lot = { ns: 'rollout', seed: 's', unitAttr: 'targetingKey', lo: 0, hi: 100 }
const template = {
  conditions: [
    condition('cn', inCountry('CN')),
    condition('drawn', { attr: 'targetingKey', op: 'percent', value: lot }),
  ],
  parameters: {
    text: parameter('hello', { conditional: { cn: { value: 'ni hao' } } }),
    flag: parameter('true', { valueType: 'BOOLEAN' }),
    whole: parameter('3', { valueType: 'NUMBER' }),
    fraction: parameter('1.5', { valueType: 'NUMBER' }),
    object: parameter('{"dark":true}', { valueType: 'JSON' }),
    drawn: parameter('no', { conditional: { drawn: { value: 'yes' } } }),
    own: parameter('', { default: { useInAppDefault: true } }),
  },
}
const context = { targetingKey: 'u', 'device.country': 'CN' }

const ask = async (path: string, body: unknown, headers: Record<string, string> = {}, on = stage.app) => {
  const reply = await on.inject({
    method: 'POST',
    url: `/ofrep/v1/evaluate/flags${path}`,
    headers: { authorization: `Bearer ${config.apiKey}`, 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: reply.statusCode, headers: reply.headers, body: reply.body === '' ? null : reply.json() }
}

describe('an answer of one flag is as the protocol says', () => {
  it.each([
    ['text', 'ni hao', 'TARGETING_MATCH'],
    ['flag', true, 'STATIC'],
    ['whole', 3, 'STATIC'],
    ['fraction', 1.5, 'STATIC'],
    ['object', { dark: true }, 'STATIC'],
    ['drawn', 'yes', 'SPLIT'],
    ['own', undefined, 'STATIC'],
  ])('%s', async (key, value, reason) => {
    const { status, headers, body } = await ask(`/${key}`, { context })
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(faultsAs('success', body)).toEqual([])
    expect([body.key, body.value, body.reason]).toEqual([key, value, reason])
    expect('value' in body).toBe(value !== undefined)
  })

  it('by default, where rules led to it', async () => {
    const { body } = await ask('/text', { context: { targetingKey: 'u' } })
    expect([faultsAs('success', body), body.value, body.reason]).toEqual([[], 'hello', 'UNKNOWN'])
  })
})

describe('an answer of all flags is as the protocol says', () => {
  it('with values, without, with what failed, and with its streams', async () => {
    const { status, headers, body } = await ask('', { context: { 'device.country': 'CN' } })
    expect([status, faultsAs('bulk', body), body.flags.length]).toEqual([200, [], 7])
    expect(headers['etag']).toMatch(/^"[^"]+"$/)
    const failed = body.flags.filter((one: object) => 'errorCode' in one)
    expect([failed.length, faultsAs('failure', failed[0])]).toEqual([1, []])
    expect(body.eventStreams.length).toBe(1)
  })

  it('and is nothing at all, with its ETag, for who has it', async () => {
    const first = await ask('', { context })
    const again = await ask('', { context }, { 'if-none-match': String(first.headers['etag']) })
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, null, first.headers['etag']])
  })

  it('as is the event of a stream', async () => {
    const { body } = await ask('', { context })
    const address = await stage.listen()
    const stop = new AbortController()
    const reply = await fetch(address + body.eventStreams[0].endpoint.requestUri, { signal: stop.signal })
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader()
    await config.publish(template)
    let heard = ''
    while (!heard.includes('\ndata: ')) heard += new TextDecoder().decode((await reader.read()).value)
    stop.abort()
    const frame = heard.slice(heard.lastIndexOf('id: '))
    expect(frame).toContain('\nevent: message\n')
    const event = JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '')
    expect([faultsAs('event', event), event.type]).toEqual([[], 'refetchEvaluation'])
  })
})

describe('a refusal is as the protocol says', () => {
  it.each([
    ['PARSE_ERROR', 'text', '{'],
    ['PARSE_ERROR', 'text', []],
    ['INVALID_CONTEXT', 'text', { context: 'me' }],
    ['TARGETING_KEY_MISSING', 'drawn', { context: {} }],
  ])('400 %s of one flag', async (errorCode, key, body) => {
    const reply = await ask(`/${key}`, body)
    expect([reply.status, faultsAs('failure', reply.body)]).toEqual([400, []])
    expect([reply.body.key, reply.body.errorCode]).toEqual([key, errorCode])
  })

  it.each([
    ['PARSE_ERROR', '{'],
    ['INVALID_CONTEXT', { context: { targetingKey: 7 } }],
  ])('400 %s of all flags', async (errorCode, body) => {
    const reply = await ask('', body)
    expect([reply.status, faultsAs('bulkFailure', reply.body), reply.body.errorCode]).toEqual([400, [], errorCode])
  })

  it('404 of a flag that is not there', async () => {
    const { status, body } = await ask('/nowhere', { context })
    expect([status, faultsAs('notFound', body), body.key]).toEqual([404, [], 'nowhere'])
  })

  it('401 of a wrong key, and 403 of the template of servers for who is none', async () => {
    const unknown = await ask('/text', { context }, { authorization: 'Bearer lgk_of_nobody_that_is_known' })
    expect([unknown.status, faultsAs('general', unknown.body)]).toEqual([401, []])
    const others = await ask('/text?kind=server', { context })
    expect([others.status, faultsAs('general', others.body)]).toEqual([403, []])
  })

  it('429 with the seconds to wait, and 503 where a version is still to come', async () => {
    const slow = await openStage({ rateFactor: 0.0001 })
    try {
      let reply = await ask('', {}, {}, slow.app)
      for (let tries = 0; tries < 20 && reply.status !== 429; tries++) reply = await ask('', {}, {}, slow.app)
      expect([reply.status, faultsAs('general', reply.body)]).toEqual([429, []])
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await slow.close()
    }
    const ahead = encodeURIComponent(`"etag-${config.projectId}-99"`)
    const late = await ask(`?flagConfigEtag=${ahead}`, { context })
    expect([late.status, late.headers['retry-after'], faultsAs('general', late.body)]).toEqual([503, '1', []])
  })
})

describe('the check itself', () => {
  it.each([
    ['success', { value: 1, reason: 'STATIC' }],
    ['success', { key: 'a', value: [1], reason: 'STATIC', variant: 'v' }],
    ['success', { key: 'a', value: 1, reason: 'BECAUSE', variant: 'v' }],
    ['success', { key: 'a', reason: 'STATIC', metadata: { nested: {} } }],
    ['failure', { key: 'a', errorCode: 'FLAG_NOT_FOUND' }],
    ['notFound', { errorCode: 'FLAG_NOT_FOUND' }],
    ['bulk', { flags: [{ key: 'a' }] }],
    ['bulk', { flags: [], eventStreams: [{ type: 'sse' }] }],
    ['bulk', { flags: [], eventStreams: [{ type: 'sse', url: 'https://a.example', endpoint: { requestUri: '/' } }] }],
    ['bulk', { flags: [], eventStreams: [{ type: 'sse', endpoint: { requestUri: 'stream' } }] }],
    ['bulk', { flags: [], eventStreams: [{ type: 'sse', endpoint: { requestUri: '/', origin: 'here' } }] }],
    ['event', { type: 'refetchEvaluation', lastModified: 'yesterday' }],
    ['event', { type: 'refetchEvaluation', lastModified: 1.5 }],
  ] as const)('finds what is no %s', (name, answer) => {
    expect(faultsAs(name, answer)).not.toEqual([])
  })
})
