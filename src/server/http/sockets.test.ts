import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { service } from '../../kernel/contract.ts'
import { integer, optional, shape } from '../../kernel/shape.ts'
import { headers } from '../../kernel/wire.ts'
import { openStage, type Person, type Stage } from '../../testkit/stage.ts'
import { implement } from '../implement.ts'

const lines = service({
  name: 'ground/lines',
  prefix: '/lines/v1',
  zone: 'current',
  permissions: [],
  errors: {},
  calls: {
    echo: {
      method: 'GET',
      path: '/echo',
      who: 'anonymous',
      may: 'none',
      kind: 'socket',
      bodyLimit: 1000,
      summary: 'Says back what is said',
      query: shape({ times: optional(integer(1, 3)) }),
    },
    own: { method: 'GET', path: '/own', who: 'cp', may: 'none', kind: 'socket', summary: 'Says who one is' },
    plain: { method: 'GET', path: '/plain', who: 'anonymous', may: 'none', summary: 'No line', answer: shape({}) },
  },
})

let closed = 0
const handlers = implement(lines, {
  echo: async (_ctx, { query, line }) => {
    line.onClose(() => {
      closed++
    })
    line.onMessage(text => {
      if (text === 'fail') throw new Error('as asked')
      for (let at = 0; at < (query.times ?? 1); at++) line.send(text)
    })
  },
  own: async (ctx, { line }) => {
    line.send(ctx.accountId)
  },
  plain: async () => ({}),
})

let stage: Stage
let person: Person
let address: string
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'], services: [{ calls: [handlers] }] })
  person = await stage.person()
  address = (await stage.listen()).replace('http', 'ws')
})
afterAll(() => stage.close())

const open = (path: string, sent: Record<string, string> = {}) => new WebSocket(`${address}${path}`, { headers: sent })
const statusOf = async (socket: WebSocket): Promise<number> => {
  const [, response] = await once(socket, 'unexpected-response')
  return response.statusCode
}
const said = async (socket: WebSocket): Promise<string> => String((await once(socket, 'message'))[0])

describe('a call of kind socket', () => {
  it('has an open line that carries text both ways, in each zone', async () => {
    for (const zone of ['', '/de']) {
      const socket = open(`${zone}/lines/v1/echo`)
      await once(socket, 'open')
      socket.send('hello')
      expect(await said(socket)).toBe('hello')
      socket.close()
      await once(socket, 'close')
    }
    expect(closed).toBeGreaterThan(0)
  })

  it('refuses before the upgrade what its shapes do not allow', async () => {
    expect(await statusOf(open('/lines/v1/echo?times=9'))).toBe(400)
    expect(await statusOf(open('/lines/v1/echo?tims=1'))).toBe(400)
  })

  it('is for its audience only, and answers a call without an upgrade with 404', async () => {
    expect(await statusOf(open('/lines/v1/own'))).toBe(401)
    const reply = await stage.app.inject({ method: 'GET', url: '/lines/v1/echo' })
    expect(reply.statusCode).toBe(404)
  })

  it('opens no line to a page of another origin that sends the cookies of a visitor', async () => {
    const own = { cookie: person.cookie, [headers.team]: person.teamId }
    expect(await statusOf(open('/lines/v1/own', { ...own, origin: 'https://evil.example' }))).toBe(403)
    expect(await statusOf(open('/lines/v1/own', { ...own, origin: 'null' }))).toBe(403)
    const socket = open('/lines/v1/own', { ...own, origin: 'http://localhost:8080' })
    expect(await said(socket)).toBe(person.accountId)
    socket.terminate()
  })

  it('upgrades no other address', async () => {
    for (const path of ['/lines/v1/plain', '/healthz', '/nothing']) expect(await statusOf(open(path))).toBe(404)
  })

  it('ends with the code for it when a frame is too large, binary, or makes the handler fail', async () => {
    const cases: [string | Buffer, number][] = [
      ['x'.repeat(1001), 1009],
      [Buffer.from([1, 2]), 1008],
      ['fail', 1011],
    ]
    for (const [frame, expected] of cases) {
      const socket = open('/lines/v1/echo')
      await once(socket, 'open')
      socket.send(frame)
      const [code] = await once(socket, 'close')
      expect([String(frame).slice(0, 4), code]).toEqual([String(frame).slice(0, 4), expected])
    }
  })

  it('ends a line that talks without a pause', async () => {
    const socket = open('/lines/v1/echo')
    await once(socket, 'open')
    for (let at = 0; at < 2000; at++) socket.send('x')
    const [code] = await once(socket, 'close')
    expect(code).toBe(1008)
  })
})
