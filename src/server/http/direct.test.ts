import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../kernel/contract.ts'
import { refuse } from '../../kernel/errors.ts'
import { shape, text } from '../../kernel/shape.ts'
import { openStage, type Stage } from '../../testkit/stage.ts'
import { implement } from '../implement.ts'
import { DirectCalls } from './direct.ts'

describe('what goes around the framework', () => {
  let origin = ''
  const direct = new DirectCalls()
  const plain = http.createServer((_raw, answer) => answer.end('left'))
  beforeAll(async () => {
    const serve = (name: string) => async (raw: http.IncomingMessage, answer: http.ServerResponse, params: object) =>
      void answer.end(JSON.stringify([name, raw.method, params]))
    direct.add('/calls/of/:space/:target', ['POST'], serve('calls'))
    direct.add('/fn/*', ['GET', 'HEAD'], serve('get'))
    direct.add('/fn/*', ['PUT'], serve('put'))
    direct.listen(plain, { rewrite: raw => (raw.url ?? '').replace(/^\/de\//, '/'), newId: () => 'id' })
    await new Promise<void>(resolve => plain.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
  })
  afterAll(() => plain.close())
  const ask = async (method: string, path: string) => {
    const said = await new Promise<string>((resolve, reject) => {
      http
        .request(`${origin}${path}`, { method, agent: false }, reply => resolve(textOf(reply)))
        .on('error', reject)
        .end()
    })
    return said === 'left' ? said : JSON.parse(said)
  }

  it.each([
    ['POST', '/calls/of/a/b', ['calls', 'POST', { space: 'a', target: 'b' }]],
    ['POST', '/calls/of/a/b%24c%2Fd%2525?x=/y', ['calls', 'POST', { space: 'a', target: 'b$c/d%25' }]],
    ['POST', '/de/calls/of/a/b', ['calls', 'POST', { space: 'a', target: 'b' }]],
    ['GET', '/fn/a/b%20c/', ['get', 'GET', { '*': 'a/b c/' }]],
    ['PUT', '/fn/a?b', ['put', 'PUT', { '*': 'a' }]],
  ])('%s %s', async (method, path, expected) => {
    expect(await ask(method, path)).toEqual(expected)
  })

  it.each([
    ['GET', '/calls/of/a/b'],
    ['POST', '/calls/of/a'],
    ['POST', '/calls/of/a?/b'],
    ['POST', '/calls/of/a/'],
    ['POST', '/calls/of//b'],
    ['POST', '/calls/of/a/b/c'],
    ['POST', '/calls/of/a/b/'],
    ['POST', '/calls/of/a/%ff'],
    ['POST', '/calls/%6ff/a/b'],
    ['POST', '/Calls/of/a/b'],
    ['POST', '//calls/of/a/b'],
    ['POST', '/fn/a'],
    ['GET', '/fn/'],
    ['GET', '/fn'],
    ['GET', '/'],
  ])('is not %s %s', async (method, path) => {
    expect(await ask(method, path)).toBe('left')
  })

  it.each(['/calls', '/calls/:id/lines', '/calls/*/lines'])('cannot be %s', path => {
    expect(() => direct.add(path, ['GET'], async () => undefined)).toThrow(/end in parameters/)
  })

  it('is nothing any more once it is closed', async () => {
    direct.close()
    expect(await ask('GET', '/fn/a')).toBe('left')
  })
})

const open = { who: 'anonymous', may: 'none', kind: 'protocol', transaction: false, direct: true } as const

const express = service({
  name: 'test/express',
  prefix: '/express',
  zone: 'current',
  permissions: [],
  errors: { full: [209990002, 418, 'The {train} is full.'] },
  refusal: ({ number, message, status }, { method, id, url }) => ({
    status,
    headers: { 'content-type': 'text/x-refusal', 'x-number': number, 'x-request-id': id },
    body: method === 'HEAD' ? null : `${message} ${url}`,
  }),
  calls: {
    ride: { ...open, method: 'GET', path: '/to/:town', summary: 'Rides', params: shape({ town: text(10, 2) }) },
    send: {
      ...open,
      method: 'POST',
      path: '/goods/*',
      summary: 'Sends',
      rate: 'signIn',
      params: shape({ '*': text(20) }),
    },
  },
})

const stops: Record<
  string,
  () => { status?: number; headers: Record<string, string>; body: string | Readable | null }
> = {
  bern: () => ({
    headers: { 'content-type': 'text/plain', 'cross-origin-resource-policy': 'cross-origin' },
    body: 'grüezi',
  }),
  sea: () => ({ status: 204, headers: { 'x-way': 'none' }, body: null }),
  line: () => ({ status: 201, headers: { 'content-type': 'text/plain' }, body: Readable.from(['a', 'b', 'c']) }),
  torn: () => ({ headers: { 'content-type': 'text/plain' }, body: Readable.from(torn()) }),
  full: () => refuse(express.errors.full, { train: 'night train' }),
  pit: () => {
    throw new Error('the bridge of /root fell')
  },
}

async function* torn() {
  yield 'half'
  throw new Error('the rope broke')
}

const sent: string[] = []
const handlers = implement(express, {
  ride: async (_ctx, { params, request }) =>
    stops[params.town]?.() ?? {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([params.town, request.method, request.originalUrl, request.query, request.ip]),
    },
  send: async (ctx, { stream }) => {
    const goods = await textOf(stream)
    sent.push(goods)
    return { headers: { 'content-type': 'text/plain' }, body: ctx.zone + goods }
  },
})

describe('a direct call is answered alike by the framework and around it', () => {
  let stage: Stage
  let origin = ''
  const logged: string[] = []
  const warned: string[] = []
  beforeAll(async () => {
    stage = await openStage({
      ...{ services: [{ calls: [handlers] }], rateFactor: 1, config: { trustProxy: true } },
      logTo: {
        write: line => {
          if (line.includes('"level":50')) logged.push(line)
          if (line.includes('broke off')) warned.push(line)
        },
      },
    })
    origin = await stage.listen()
  })
  afterAll(() => stage.close())

  type Sent = { method: 'GET' | 'HEAD' | 'POST'; url: string; headers?: Record<string, string>; payload?: string }
  const ways = {
    'the framework': async (sent: Sent) => {
      const reply = await stage.app.inject(sent)
      return {
        status: reply.statusCode,
        headers: new Headers(reply.headers as Record<string, string>),
        text: reply.body,
      }
    },
    'around it': async ({ url, payload, ...init }: Sent) => {
      const reply = await fetch(origin + url, { ...init, ...(payload && { body: payload }) })
      return { status: reply.status, headers: reply.headers, text: await reply.text() }
    },
  }

  describe.each(Object.entries(ways))('%s', (_name, ask) => {
    const ride = (town: string, method: 'GET' | 'HEAD' = 'GET') => ask({ method, url: `/express/to/${town}` })

    it('with a head and a body', async () => {
      const { status, headers, text } = await ride('bern')
      expect([status, text, headers.get('content-length')]).toEqual([200, 'grüezi', '7'])
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect([headers.get('x-content-type-options'), headers.get('x-request-id')]).toEqual([
        'nosniff',
        expect.any(String),
      ])
    })

    it('with a head alone to HEAD, and to what has no body', async () => {
      const { status, headers, text } = await ride('bern', 'HEAD')
      expect([status, text, headers.get('content-length')]).toEqual([200, '', '7'])
      const none = await ride('sea')
      expect([none.status, none.text, none.headers.get('content-length')]).toEqual([204, '', null])
    })

    it('with a body that comes bit by bit', async () => {
      expect(await ride('line')).toMatchObject({ status: 201, text: 'abc' })
    })

    it('by what was sent: the address, the query, who asks', async () => {
      const headers = { 'x-forwarded-for': '198.51.100.9, 192.0.2.1' }
      const { text } = await ask({ method: 'GET', url: '/cn/express/to/z%C3%BCrich?a=1&a=2&b', headers })
      expect(JSON.parse(text)).toEqual([
        ...['zürich', 'GET', '/cn/express/to/z%C3%BCrich?a=1&a=2&b'],
        ...[{ a: ['1', '2'], b: '' }, '198.51.100.9'],
      ])
    })

    it('with its own refusal of its handler, of a wrong parameter, and of what broke, which is logged', async () => {
      const full = await ride('full')
      expect([full.status, full.text]).toEqual([418, 'The night train is full. /express/to/full'])
      expect([full.headers.get('content-type'), full.headers.get('x-number')]).toEqual(['text/x-refusal', '209990002'])
      const wrong = await ride('x')
      expect([wrong.status, wrong.headers.get('content-type')]).toEqual([400, 'text/x-refusal'])
      logged.length = 0
      const broken = await ride('pit')
      expect([broken.status, broken.text]).toEqual([500, expect.not.stringContaining('bridge')])
      expect(logged).toEqual([expect.stringContaining(String(broken.headers.get('x-request-id')))])
    })

    it('with what it read of a body in the zone of its address, as often as it may be made in a minute', async () => {
      const headers = { 'x-forwarded-for': `203.0.113.${_name.length}`, 'content-type': 'text/plain' }
      const post = () => ask({ method: 'POST', url: '/cn/express/goods/a', headers, payload: 'coal' })
      expect(await post()).toMatchObject({ status: 200, text: 'CNcoal' })
      const statuses: number[] = []
      let last = await post()
      for (let more = 0; more < 20; more++) {
        last = await post()
        statuses.push(last.status)
      }
      expect(statuses.filter(status => status === 429)).toHaveLength(2)
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    })
  })

  it('and where its body breaks, the connection does, too', async () => {
    const reply = await fetch(`${origin}/express/to/torn`)
    expect(reply.status).toBe(200)
    await expect(reply.text()).rejects.toThrow(/terminated/)
    expect(warned).toEqual([expect.stringContaining('the rope broke')])
    expect((await fetch(`${origin}/express/to/bern`)).status).toBe(200)
  })

  it('and is made though its sender hangs up as soon as all is sent', async () => {
    const before = sent.length
    const { port, hostname } = new URL(origin)
    const socket = net.connect(Number(port), hostname)
    socket.end('POST /express/goods/a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nsalt')
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 200 .*CNsalt/s)
    expect(sent.slice(before)).toEqual(['salt'])
  })

  it('and not at all where two hosts are named', async () => {
    const { port, hostname } = new URL(origin)
    const socket = net.connect(Number(port), hostname)
    socket.write('GET /express/to/bern HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n')
    expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 400 .*text\/x-refusal/s)
  })
})

it('a call for some, or without refusals of its own, cannot be direct', async () => {
  const of = (calls: object, more: object) =>
    openStage({
      services: [
        { calls: [{ ...handlers, contract: { ...express, ...more, calls: { ...express.calls, ...calls } } }] },
      ],
    } as never)
  await expect(of({}, { refusal: undefined })).rejects.toThrow(/cannot be direct/)
  await expect(of({ ride: { ...express.calls.ride, who: 'cp' } }, {})).rejects.toThrow(/cannot be direct/)
})
