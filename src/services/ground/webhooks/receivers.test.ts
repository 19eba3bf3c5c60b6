import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { webhooks as contract } from './contract.ts'
import { WebhookStage } from './webhooks.testkit.ts'

let hooks: WebhookStage
beforeAll(async () => {
  hooks = await WebhookStage.open()
})
afterAll(() => hooks.close())
beforeEach(() => hooks.next())

describe('an answer', () => {
  const tryOf = async (endpointId: string) => {
    const [delivery] = await hooks.deliveriesOf(endpointId)
    return (await hooks.owner.ok(contract, 'getDelivery', { params: { deliveryId: delivery?.deliveryId ?? '' } }))
      .tries[0]
  }

  it('of gigabytes is cut and kept as 16 kB', async () => {
    let sent = 0
    hooks.receiver.answer = response => {
      const pump = () => {
        while (!response.destroyed && sent < 10_000_000_000) {
          sent += 65_536
          if (!response.write(Buffer.alloc(65_536, 'x'))) return void response.once('drain', pump)
        }
      }
      pump()
    }
    const { endpoint } = await hooks.addWebhook()
    await hooks.happen('version.approved')
    await hooks.stage.settle()
    const made = await tryOf(endpoint.endpointId)
    expect([made?.status, made?.isCut, made?.answerBody.length]).toEqual([200, true, 16_384])
    expect(sent).toBeLessThan(50_000_000)
  })

  it('packed to burst is cut too', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    hooks.receiver.answer = response => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    const { endpoint } = await hooks.addWebhook()
    await hooks.happen('version.approved')
    await hooks.stage.settle()
    expect(await tryOf(endpoint.endpointId)).toMatchObject({ status: 200, isCut: true })
  })

  it('that never comes is given up and tried again', async () => {
    hooks.receiver.answer = () => undefined
    const { endpoint } = await hooks.addWebhook()
    await hooks.happen('version.approved')
    await hooks.stage.settle()
    expect(await tryOf(endpoint.endpointId)).toMatchObject({ status: null, problem: expect.stringContaining('answer') })
    expect(await hooks.deliveriesOf(endpoint.endpointId)).toMatchObject([{ state: 'WAITING' }])
  }, 40_000)

  it('keeps no cookies or tokens of the receiver, and no byte the database cannot', async () => {
    hooks.receiver.answer = response =>
      response.writeHead(200, { 'set-cookie': 'sid=1', 'x-api-key': 'k' }).end('a\0b\xff')
    const { endpoint } = await hooks.addWebhook()
    await hooks.happen('version.approved')
    await hooks.stage.settle()
    const made = await tryOf(endpoint.endpointId)
    expect(made?.answerHeaders).toMatchObject({ 'set-cookie': '…', 'x-api-key': '…' })
    expect(made?.answerBody).toMatch(/^a.b/)
  })
})

describe('an address', () => {
  it.each([
    ...[
      'http://127.0.0.1:1',
      'http://localhost',
      'http://localhost.',
      'http://[::1]/',
      'http://0/',
      'http://2130706433/',
    ],
    ...['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::ffff:127.0.0.1]/', 'http://127.1/'],
    ...['http://user:pw@example.com/', 'http://hook.invalid/'],
  ])('%s is refused with its field', async url => {
    const body = { name: 'x', url, eventTypes: [] }
    const reply = await hooks.owner.call(contract, 'createEndpoint', { body })
    expect([reply.status, reply.body.fields?.map(field => [field.pointer, field.rule])]).toEqual([
      400,
      [['/url', 'publicAddress']],
    ])
    expect((await hooks.owner.ok(contract, 'listEndpoints')).total).toBe(0)
  })

  it.each(['ftp://example.com', 'file:///etc/passwd', 'hooks.example.com', ''])('%s is none', async url => {
    const reply = await hooks.owner.call(contract, 'createEndpoint', { body: { name: 'x', url, eventTypes: [] } })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/url'])
  })

  it('that became private after it was saved is not asked', async () => {
    const { endpoint } = await hooks.addWebhook()
    const { masterKey } = hooks.stage.booted.server
    const url = 'http://127.0.0.1:9/'
    const { sealSecret } = await import('./secrets.ts')
    const sealed = sealSecret(masterKey, { endpointId: endpoint.endpointId, url }, 'whsec_AAAA')
    await hooks.stage.sql('CN', 'UPDATE webhook_endpoints SET url = $2, secret = $3 WHERE endpoint_id = $1', [
      endpoint.endpointId,
      url,
      sealed,
    ])
    await hooks.happen('version.approved')
    await hooks.stage.settle()
    const [delivery] = await hooks.deliveriesOf(endpoint.endpointId)
    expect(delivery).toMatchObject({ state: 'WAITING', lastStatus: null })
  })

  it('that is changed gets another secret; the old one signs nothing for it', async () => {
    const { endpoint, secret } = await hooks.addWebhook()
    const revision = endpoint.revision
    const body = { name: 'Moved', url: `${hooks.receiver.url}${hooks.path}/new`, eventTypes: [], revision }
    const moved = await hooks.owner.ok(contract, 'updateEndpoint', { params: endpoint, body })
    expect(moved.secret).toMatch(/^whsec_/)
    await hooks.happen('version.approved')
    await hooks.stage.settle()
    const [got] = hooks.receiver.at(`${hooks.path}/new`)
    expect(hooks.receiver.at(hooks.path)).toEqual([])
    expect(() => new Webhook(secret).verify(got?.body ?? '', got?.headers ?? {})).toThrow()
    const again = { ...body, name: 'Renamed', revision: moved.endpoint.revision }
    expect((await hooks.owner.ok(contract, 'updateEndpoint', { params: endpoint, body: again })).secret).toBeNull()
  })
})
