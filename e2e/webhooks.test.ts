import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../src/services/ground/projects/contract.ts'
import { webhooks } from '../src/services/ground/webhooks/contract.ts'
import { Loggia, until, type Visitor } from './loggia.ts'

let loggia: Loggia
let developer: Visitor
const received: { headers: Record<string, string>; body: string }[] = []
let answerAfterMs = 0
const receiver = http.createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(parts).toString('utf8') })
  setTimeout(() => response.end('ok'), answerAfterMs)
})

beforeAll(async () => {
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  loggia = await Loggia.start({ LOGGIA_OUTBOUND_ALLOW: `127.0.0.1:${port}` })
  developer = await loggia.signIn('administrator')
})
afterAll(async () => {
  await loggia.close()
  receiver.closeAllConnections()
  receiver.close()
})

describe('kill -9 of the server', () => {
  it('between an event and its receiver loses none, and repeats one only under its id', async () => {
    const { port } = receiver.address() as AddressInfo
    const body = { name: 'Receiver', url: `http://127.0.0.1:${port}/`, eventTypes: ['project.created'] }
    const { secret, endpoint } = await developer.ok(webhooks, 'createEndpoint', { body })
    answerAfterMs = 400
    const names = Array.from({ length: 12 }, (_none, at) => `killed ${at}`)
    for (const [at, name] of names.entries()) {
      await developer.ok(projects, 'createProject', { body: { name } })
      if (at % 4 !== 3) continue
      await until('something on its way', async () => received.length > at / 4)
      await loggia.end('SIGKILL')
      await loggia.up()
    }
    answerAfterMs = 0
    const params = { endpointId: endpoint.endpointId }
    await until('all to be delivered', async () => {
      const { list } = await developer.ok(webhooks, 'listDeliveries', { params, query: { pageSize: 100 } })
      return list.length === names.length && list.every(one => one.state === 'DELIVERED')
    })
    const sent = received.map(one => (JSON.parse(one.body) as { data: { name: string } }).data.name)
    expect([...new Set(sent)].sort()).toEqual([...names].sort())
    expect(new Set(received.map(one => one.headers['webhook-id'])).size).toBe(names.length)
    for (const one of received) expect(() => new Webhook(secret).verify(one.body, one.headers)).not.toThrow()
  }, 400_000)
})
