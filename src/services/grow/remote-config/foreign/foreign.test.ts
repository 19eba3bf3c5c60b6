import { GrowthBookClient } from '@growthbook/growthbook'
import { Unleash } from 'unleash-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from '../config.testkit.ts'
import { rollouts } from '../rollouts/contract.ts'

let stage: Stage
let url: string
let config: ConfigStage
beforeAll(async () => {
  stage = await openStage()
  url = await stage.listen()
  config = await openConfig(stage)
  await config.publish(template('hello'))
})
afterAll(() => stage.close())

const value = { ns: 'rollout', seed: 's', unitAttr: 'userId', lo: 0, hi: 100 }
const template = (welcome: string) => ({
  conditions: [
    condition('cn', { attr: 'country', op: 'eq', value: 'CN' }),
    condition('all', { op: 'percent', attr: 'userId', value }),
    condition('late', { attr: 'x', op: 'hourIn', value: [1], zone: 'UTC' }),
    condition('nested', inCountry('CN')),
  ],
  parameters: {
    on: parameter('false', { valueType: 'BOOLEAN', conditional: { cn: { value: 'true' } } }),
    drawn: parameter('false', { valueType: 'BOOLEAN', conditional: { all: { value: 'true' } } }),
    welcome: parameter(welcome, { conditional: { cn: { value: 'ni hao' } } }),
    unsaid: parameter('a', { conditional: { late: { value: 'b' } } }),
  },
})

it('the client of Unleash, as it is published, gets switches and values, and sees a publish', async () => {
  const unleash = new Unleash({
    ...{
      url: `${url}/api`,
      appName: 'test',
      refreshInterval: 100,
      disableMetrics: true,
      skipInstanceCountWarning: true,
    },
    customHeaders: { Authorization: config.apiKey },
    storageProvider: { set: async () => {}, get: async () => undefined },
  })
  const failures: unknown[] = []
  unleash.on('error', error => failures.push(error))
  await new Promise<void>(resolve => unleash.once('synchronized', () => resolve()))
  const chinese = { userId: 'u1', properties: { country: 'CN' } }
  const other = { userId: 'u1', properties: { country: 'DE' } }
  expect([unleash.isEnabled('on', chinese), unleash.isEnabled('on', other)]).toEqual([true, false])
  expect(unleash.isEnabled('drawn', other)).toBe(true)
  expect(unleash.getVariant('welcome', chinese)).toMatchObject({ name: 'cn', payload: { value: 'ni hao' } })
  expect(unleash.getVariant('welcome', other)).toMatchObject({ name: 'default', payload: { value: 'hello' } })
  await config.publish(template('good day'))
  await expect.poll(() => unleash.getVariant('welcome', other).payload?.value, { timeout: 5_000 }).toBe('good day')
  unleash.destroy()
  expect(failures).toEqual([])
})

it('the client of GrowthBook, as it is published, gets values of their types', async () => {
  await config.publish(template('hello'))
  const client = new GrowthBookClient({ apiHost: url, clientKey: config.apiKey })
  const { success } = await client.init({ skipCache: true, timeout: 5_000 })
  expect(success).toBe(true)
  const chinese = { attributes: { userId: 'u1', country: 'CN' } }
  const other = { attributes: { userId: 'u1', country: 'DE' } }
  expect([client.isOn('on', chinese), client.isOn('on', other), client.isOn('drawn', other)]).toEqual([
    true,
    false,
    true,
  ])
  expect(client.getFeatureValue('welcome', 'code', chinese)).toBe('ni hao')
  expect(client.getFeatureValue('welcome', 'code', other)).toBe('hello')
  expect(client.getFeatureValue('unsaid', 'code', other)).toBe('code')
  client.destroy()
})

it('what cannot be said in the words of others is left out and named, and a stranger gets nothing', async () => {
  const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })
  const reply = await get('/api/client/features', { authorization: config.apiKey })
  expect([reply.status, reply.headers.get('x-not-exported')]).toEqual([200, 'unsaid'])
  const etag = reply.headers.get('etag') ?? ''
  expect((await get(`/api/features/${config.apiKey}`, { 'if-none-match': etag })).status).toBe(304)
  expect((await get('/api/client/features')).status).toBe(401)
  expect((await get('/api/features/lgk_not-one-of-ours-at-all-0000000')).status).toBe(401)
})

it('a parameter under a rollout is left out and named, for they would draw others than those who are in', async () => {
  const config = await openConfig(stage)
  await config.publish({ parameters: { on: parameter('false', { valueType: 'BOOLEAN' }), title: parameter('hello') } })
  const steps = [{ percent: 50, holdMs: null }]
  const { rolloutId, revision } = await config.owner.ok(rollouts, 'createRollout', {
    body: { ...config.where, name: 'On', parameter: 'on', value: 'true', steps },
  })
  await config.owner.ok(rollouts, 'startRollout', { params: { rolloutId }, body: { revision } })
  await stage.heard('CN')
  for (const path of ['/api/client/features', `/api/features/${config.apiKey}`]) {
    const reply = await fetch(url + path, { headers: { authorization: config.apiKey } })
    const text = await reply.text()
    expect([reply.headers.get('x-not-exported'), text.includes('"title"'), text.includes('"on"')]).toEqual([
      'on',
      true,
      false,
    ])
  }
})
