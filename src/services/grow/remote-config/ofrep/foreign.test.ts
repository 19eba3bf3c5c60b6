import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature as OnServer } from '@openfeature/server-sdk'
import { OpenFeature as OnWeb } from '@openfeature/web-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from '../config.testkit.ts'
import { rollouts } from '../rollouts/contract.ts'
import { protocolDoubt } from '../rules.ts'

let stage: Stage
let baseUrl: string
let config: ConfigStage
beforeAll(async () => {
  stage = await openStage()
  baseUrl = await stage.listen()
  config = await openConfig(stage)
  await config.publish(template('hello'))
})
afterAll(async () => {
  await OnServer.close()
  await OnWeb.close()
  await stage.close()
})

const value = { ns: 'rollout', seed: 's', unitAttr: 'targetingKey', lo: 0, hi: 100 }
const ownDefault = parameter('', { default: { useInAppDefault: true } })
const template = (welcome: string) => ({
  conditions: [condition('cn', inCountry('CN')), condition('drawn', { attr: 'targetingKey', op: 'percent', value })],
  parameters: {
    welcome: parameter(welcome, { conditional: { cn: { value: 'ni hao' } } }),
    on: parameter('true', { valueType: 'BOOLEAN' }),
    size: parameter('1.5', { valueType: 'NUMBER', conditional: { drawn: { value: '3' } } }),
    theme: parameter('{"dark":true}', { valueType: 'JSON' }),
    own: ownDefault,
  },
})

const evaluate = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${baseUrl}/ofrep/v1/evaluate/flags${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${config.apiKey}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) }
}

describe('the server client of OpenFeature, as it is published', () => {
  it('gets values of every type, why they are so, and the default of the code where there is none', async () => {
    const headers: [string, string][] = [['Authorization', `Bearer ${config.apiKey}`]]
    await OnServer.setProviderAndWait(new OFREPProvider({ baseUrl, headers }))
    const client = OnServer.getClient()
    const context = { targetingKey: 'd-81', 'device.country': 'CN' }
    expect(await client.getStringDetails('welcome', 'code', context)).toMatchObject({
      ...{ value: 'ni hao', variant: 'cn', reason: 'TARGETING_MATCH' },
      flagMetadata: { templateVersion: '1' },
    })
    expect(await client.getStringValue('welcome', 'code', { targetingKey: 'd-81' })).toBe('hello')
    expect(await client.getBooleanDetails('on', false, context)).toMatchObject({ value: true, reason: 'STATIC' })
    expect(await client.getNumberDetails('size', 0, context)).toMatchObject({ value: 3, reason: 'SPLIT' })
    expect(await client.getObjectValue('theme', {}, context)).toEqual({ dark: true })
    expect(await client.getStringValue('own', 'of the code', context)).toBe('of the code')
    expect(await client.getNumberDetails('size', 7, {})).toMatchObject({ value: 7, errorCode: 'TARGETING_KEY_MISSING' })
    expect(await client.getStringDetails('nowhere', 'code', context)).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })
    expect(await client.getStringDetails('on', 'code', context)).toMatchObject({ errorCode: 'TYPE_MISMATCH' })
  })

  it('sees what is published at once', async () => {
    const client = OnServer.getClient()
    await config.publish(template('good morning'))
    expect(await client.getStringValue('welcome', 'code', { targetingKey: 'd-81' })).toBe('good morning')
    await config.publish(template('hello'))
  })
})

describe('the web client of OpenFeature, as it is published', () => {
  it('evaluates all flags at once, notices a publish, and asks again when its context changes', async () => {
    const headers: [string, string][] = [['Authorization', `Bearer ${config.apiKey}`]]
    await OnWeb.setContext({ targetingKey: 'd-81', 'device.country': 'DE' })
    await OnWeb.setProviderAndWait(new OFREPWebProvider({ baseUrl, headers, pollInterval: 100 }))
    const client = OnWeb.getClient()
    expect(client.getStringValue('welcome', 'code')).toBe('hello')
    expect(client.getNumberDetails('size', 0)).toMatchObject({ value: 3, reason: 'SPLIT' })
    expect(client.getStringValue('own', 'of the code')).toBe('of the code')
    await config.publish(template('good evening'))
    await expect.poll(() => client.getStringValue('welcome', 'code'), { timeout: 5_000 }).toBe('good evening')
    await OnWeb.setContext({ targetingKey: 'd-81', 'device.country': 'CN' })
    expect(client.getStringValue('welcome', 'code')).toBe('ni hao')
    await OnWeb.clearProviders()
  })
})

describe('a value of JSON that is no object', () => {
  it('is read as an object where it is a list or null, and else as what it is', async () => {
    const config = await openConfig(stage)
    const json = (value: string) => parameter(value, { valueType: 'JSON' })
    const parameters = { list: json('[1,{"a":2}]'), none: json('null'), five: json('5') }
    await config.publish({ parameters })
    const headers: [string, string][] = [['Authorization', `Bearer ${config.apiKey}`]]
    await OnServer.setProviderAndWait(new OFREPProvider({ baseUrl, headers }))
    await OnWeb.setContext({ targetingKey: 'd-81' })
    await OnWeb.setProviderAndWait(new OFREPWebProvider({ baseUrl, headers, pollInterval: 0 }))
    const [server, web] = [OnServer.getClient(), OnWeb.getClient()]
    for (const [key, value] of [
      ['list', [1, { a: 2 }]],
      ['none', null],
    ] as const) {
      expect(await server.getObjectDetails(key, { code: 1 })).toMatchObject({ value, reason: 'STATIC' })
      expect(web.getObjectDetails(key, { code: 1 })).toMatchObject({ value, reason: 'STATIC' })
    }
    const refused = { value: { code: 1 }, errorCode: 'TYPE_MISMATCH' }
    expect(await server.getObjectDetails('five', { code: 1 })).toMatchObject(refused)
    expect(web.getObjectDetails('five', { code: 1 })).toMatchObject(refused)
    expect([await server.getNumberValue('five', 1), web.getNumberValue('five', 1)]).toEqual([5, 5])
    expect(Object.values(parameters).map(one => protocolDoubt('JSON', one.default.value))).toEqual([
      'list',
      'null',
      'plain',
    ])
    expect([protocolDoubt('JSON', '{"a":[1]}'), protocolDoubt('STRING', '[1]'), protocolDoubt('JSON', '[')]).toEqual([
      null,
      null,
      null,
    ])
    await OnWeb.clearProviders()
    await OnServer.clearProviders()
  })
})

describe('a parameter under a rollout', () => {
  it('tells the clients who is in and who is out, with what an exposure needs', async () => {
    const config = await openConfig(stage)
    await config.publish({ parameters: { welcome: parameter('hello'), own: ownDefault } })
    const headers: [string, string][] = [['Authorization', `Bearer ${config.apiKey}`]]
    const start = async (body: { parameter: string; value: string; srmAction?: 'hold' }) => {
      const steps = [{ percent: 50, holdMs: null }]
      const made = await config.owner.ok(rollouts, 'createRollout', {
        body: { ...config.where, name: body.parameter, steps, ...body },
      })
      const params = { rolloutId: made.rolloutId }
      return config.owner.ok(rollouts, 'startRollout', { params, body: { revision: made.revision } })
    }
    const judged = await start({ parameter: 'welcome', value: 'hi', srmAction: 'hold' })
    const plain = await start({ parameter: 'own', value: 'ours' })
    await stage.heard('CN')
    await OnServer.setProviderAndWait(new OFREPProvider({ baseUrl, headers }))
    await OnWeb.setContext({ targetingKey: 'user-0' })
    await OnWeb.setProviderAndWait(new OFREPWebProvider({ baseUrl, headers, pollInterval: 0 }))
    const counts = { in: 0, out: 0 }
    for (let at = 0; at < 20; at++) {
      const context = { targetingKey: `user-${at}` }
      const told = await OnServer.getClient().getStringDetails('welcome', 'code', context)
      const variant = told.value === 'hi' ? 'in' : 'out'
      counts[variant]++
      expect(told).toMatchObject({ value: variant === 'in' ? 'hi' : 'hello', variant, reason: 'SPLIT' })
      expect(told.flagMetadata).toEqual({
        ...{ templateVersion: '3', rolloutId: judged.rolloutId, rolloutVariant: variant },
        rolloutPhase: expect.any(Number),
      })
      const own = await OnServer.getClient().getStringDetails('own', 'of the code', context)
      const rolloutVariant = own.value === 'ours' ? 'in' : 'out'
      const metadata = { templateVersion: '3', rolloutId: plain.rolloutId, rolloutVariant }
      if (own.value === 'ours') expect(own).toMatchObject({ variant: 'in', reason: 'SPLIT', flagMetadata: metadata })
      // The client takes an answer without a value for an error, and drops what else it says.
      else expect(own).toMatchObject({ value: 'of the code', reason: 'ERROR', flagMetadata: {} })
      expect((await evaluate('/own', { context }, { authorization: `Bearer ${config.apiKey}` })).body).toEqual({
        ...{ key: 'own', reason: 'SPLIT', metadata },
        ...(rolloutVariant === 'in' && { value: 'ours', variant: 'in' }),
      })
      await OnWeb.setContext(context)
      const { value, variant: seen, flagMetadata } = OnWeb.getClient().getStringDetails('welcome', 'code')
      expect([value, seen, flagMetadata]).toEqual([told.value, told.variant, told.flagMetadata])
    }
    expect(Math.min(counts.in, counts.out)).toBeGreaterThan(0)
    await OnWeb.clearProviders()
    await OnServer.clearProviders()
  })
})

describe('the protocol', () => {
  it('answers all flags with an ETag of the context, where changes are told, and nothing to who has it', async () => {
    const { status, body, headers } = await evaluate('', { context: { targetingKey: 'a' } })
    expect([status, body.flags.length]).toEqual([200, 5])
    expect(body.eventStreams).toMatchObject([{ type: 'sse', inactivityDelaySec: 120 }])
    const etag = headers.get('etag') ?? ''
    expect((await evaluate('', { context: { targetingKey: 'a' } }, { 'if-none-match': etag })).status).toBe(304)
    const other = { context: { targetingKey: 'a', 'device.country': 'CN' } }
    expect((await evaluate('', other, { 'if-none-match': etag })).status).toBe(200)
    const stop = new AbortController()
    const { requestUri } = body.eventStreams[0].endpoint
    const stream = await fetch(baseUrl + requestUri, { signal: stop.signal })
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    stop.abort()
  })

  it('gives what was told of, or says to come again', async () => {
    const version = await config.publish(template('newest'))
    const told = encodeURIComponent(`"etag-${config.projectId}-${version}"`)
    const { body } = await evaluate(`?flagConfigEtag=${told}&flagConfigLastModified=1`, { context: {} })
    expect(body.metadata.templateVersion).toBe(String(version))
    const ahead = encodeURIComponent(`"etag-${config.projectId}-${version + 5}"`)
    const late = await evaluate(`?flagConfigEtag=${ahead}`, { context: {} })
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1'])
  })

  it.each([
    ['no JSON', '{', 'PARSE_ERROR'],
    ['a list', [], 'PARSE_ERROR'],
    ['a context that is a text', { context: 'me' }, 'INVALID_CONTEXT'],
    ['a key that is a number', { context: { targetingKey: 7 } }, 'INVALID_CONTEXT'],
    ['too long a value', { context: { a: 'x'.repeat(501) } }, 'INVALID_CONTEXT'],
  ])('%s is refused in its own words', async (_what, body, errorCode) => {
    for (const path of ['', '/welcome']) {
      const reply = await evaluate(path, body)
      expect([reply.status, reply.body.errorCode]).toEqual([400, errorCode])
      expect(reply.body.key).toBe(path === '' ? undefined : 'welcome')
    }
  })

  it('a context without a key does for what draws no lots', async () => {
    expect((await evaluate('/welcome', { context: {} })).body).toMatchObject({ value: 'newest', variant: 'default' })
    expect((await evaluate('/size', {})).body).toMatchObject({ key: 'size', errorCode: 'TARGETING_KEY_MISSING' })
    const { flags } = (await evaluate('', {})).body as { flags: { key: string; errorCode?: string }[] }
    expect(flags.filter(one => one.errorCode).map(one => one.key)).toEqual(['size'])
    expect((await evaluate('/welcome', {}, { authorization: 'Bearer no' })).status).toBe(401)
    const keyed = await evaluate('/welcome', {}, { authorization: '', 'x-api-key': config.apiKey })
    expect(keyed.status).toBe(200)
  })
})
