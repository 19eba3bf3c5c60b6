import http from 'node:http'
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Outbound, type OutsideRequest } from './outbound.ts'
import { OutsideError } from './outside/outside-error.ts'

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void

/** On 127.0.0.2, which the tests open, and on 127.0.0.1, which stays private. */
let open: http.Server
let closed: http.Server
let openAt = ''
let openPort = 0
let closedPort = 0
let answer: Answer = (_request, response) => response.end('hello')
let reachedClosed = 0
const seen: http.IncomingHttpHeaders[] = []

async function listen(server: net.Server, host: string): Promise<number> {
  await new Promise<void>(done => server.listen(0, host, done))
  return (server.address() as net.AddressInfo).port
}

beforeAll(async () => {
  open = http.createServer((request, response) => {
    seen.push(request.headers)
    request.resume()
    answer(request, response)
  })
  closed = http.createServer((_request, response) => {
    reachedClosed++
    response.end('secret')
  })
  openPort = await listen(open, '127.0.0.2')
  closedPort = await listen(closed, '127.0.0.1')
  openAt = `http://127.0.0.2:${openPort}`
})
afterAll(() => {
  for (const server of [open, closed]) {
    server.closeAllConnections()
    server.close()
  }
})

const usual = { limitBytes: 1_000_000, timeoutMs: 5_000 }
const outbound = (resolve?: (name: string) => Promise<string[]>) =>
  new Outbound({
    allow: ['127.0.0.2'],
    ownHosts: ['console.example.com'],
    slowWindowMs: 300,
    ...(resolve ? { resolve } : {}),
  })

async function textOf(address: string, request: Partial<OutsideRequest> = {}, by = outbound()) {
  const { status, body } = await by.fetch(address, { ...usual, ...request })
  return `${status} ${Buffer.concat(await body.toArray()).toString()}`
}

async function reasonOf(work: Promise<unknown>): Promise<[string, string]> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (one: Error) => one,
  )
  return error instanceof OutsideError ? [error.reason, error.message] : ['', String(error)]
}

describe('a request outside', () => {
  it('reaches what is open, with its method, body and headers', async () => {
    answer = async (request, response) =>
      response.setHeader('x-one', ['a', 'b']).end(`${request.method} ${request.url} ${request.headers['x-own']}`)
    const { headers, body } = await outbound().fetch(`${openAt}/path?q=1`, {
      ...usual,
      method: 'POST',
      headers: { 'x-own': 'yes' },
      body: 'data',
    })
    expect(headers['x-one']).toBe('a, b')
    expect(Buffer.concat(await body.toArray()).toString()).toBe('POST /path?q=1 yes')
  })

  it.each([
    ...['127.0.0.1', '[::1]', '169.254.169.254', '10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '0.0.0.0'],
    ...['0', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '255.255.255.255', '224.0.0.1', '192.0.2.1'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[::7f00:1]', '[fc00::1]'],
    ...['[fe80::1]', '[fec0::1]', '[2002:7f00:1::]', '[2001::1]', '[ff02::1]', '①②⑦.0.0.1', '127。0。0。1'],
    ...['[fe80::1%25lo]', 'a@127.0.0.1', 'user:word@example.com', '12\t7.0.0.1', 'console.example.com', ''],
  ])('is refused by its address alone: http://%s', async host => {
    expect(await reasonOf(outbound().fetch(`http://${host}:${closedPort}/`, usual))).toEqual([
      'address',
      'must be a public http or https address without a user name or password',
    ])
  })

  it.each([
    'http://127.0.0.1#@good',
    'http:\\\\127.0.0.1\\x',
    'file:///etc/passwd',
    'gopher://127.0.0.1',
    'data:,x',
    'x',
  ])('is refused for what it is: %s', async address => {
    expect((await reasonOf(outbound().fetch(address, usual)))[0]).toBe('address')
  })

  it.each(['localhost', 'localhost.', 'LOCALHOST'])('is not made to %s, and the port is not told', async host => {
    const free = await listen(net.createServer().unref(), '127.0.0.1')
    const [toOpen, toClosed, toNobody] = await Promise.all([
      reasonOf(outbound().fetch(`http://${host}:${closedPort}/`, usual)),
      reasonOf(outbound().fetch(`http://${host}:${free}/`, usual)),
      reasonOf(outbound(() => Promise.reject(new Error('ENOTFOUND'))).fetch('http://nobody.test/', usual)),
    ])
    expect(toOpen).toEqual(toClosed)
    expect(toOpen).toEqual(toNobody)
    expect(toOpen[0]).toBe('unreachable')
  })

  it('may carry no header that is the connection’s own, and none with a line break', async () => {
    const wrong: Record<string, string>[] = [
      { Host: 'x' },
      { 'transfer-encoding': 'chunked' },
      { 'proxy-authorization': 'x' },
      { a: 'b\r\nc: d' },
    ]
    for (const headers of wrong) {
      expect((await reasonOf(outbound().fetch(openAt, { ...usual, headers })))[0]).toBe('header')
    }
  })

  it('reaches a private target that the operator named, host with port only', async () => {
    const by = new Outbound({ allow: [`localhost:${closedPort}`], resolve: async () => ['127.0.0.1'] })
    expect(await textOf(`http://localhost:${closedPort}/`, {}, by)).toBe('200 secret')
    expect((await reasonOf(by.fetch('http://localhost:1/', usual)))[0]).toBe('unreachable')
    expect(() => new Outbound({ allow: ['what is this'] })).toThrow('LOGGIA_OUTBOUND_ALLOW has what is this')
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%s is followed, and refused to what is private', async status => {
    answer = (request, response) => {
      if (request.url === '/end') response.end('there')
      else
        response
          .writeHead(status, { location: request.url === '/in' ? '/end' : `http://127.0.0.1:${closedPort}/` })
          .end()
    }
    const before = reachedClosed
    expect(await textOf(`${openAt}/in`)).toBe('200 there')
    expect((await reasonOf(outbound().fetch(`${openAt}/out`, usual)))[0]).toBe('redirects')
    expect(reachedClosed).toBe(before)
  })

  it.each(['file:///etc/passwd', 'gopher://x/', 'data:,x', 'http://[', 'http://a:b@127.0.0.2/'])(
    'to %s is refused',
    async to => {
      answer = (_request, response) => response.writeHead(302, { location: to }).end()
      expect((await reasonOf(outbound().fetch(openAt, usual)))[0]).toBe('redirects')
    },
  )

  it('without an end is given up after five', async () => {
    let turns = 0
    answer = (_request, response) => response.writeHead(302, { location: `/${++turns}` }).end()
    expect((await reasonOf(outbound().fetch(openAt, usual)))[0]).toBe('redirects')
    expect(turns).toBe(6)
  })

  it('in a page is not one', async () => {
    answer = (_request, response) => response.end('<meta http-equiv="refresh" content="0;url=http://127.0.0.1/">')
    expect(await textOf(openAt)).toContain('refresh')
  })

  it('to another host takes no secret along, and makes a GET of a POST where it must', async () => {
    answer = (request, response) => {
      if (request.url === '/end') response.end(request.method)
      else response.writeHead(302, { location: `http://elsewhere.test:${openPort}/end` }).end()
    }
    const by = outbound(async () => ['127.0.0.2'])
    const headers = {
      authorization: 'Bearer x',
      'x-hub-signature': 'x',
      'x-plain': 'kept',
      'content-type': 'text/plain',
    }
    expect(await textOf(openAt, { method: 'POST', body: 'x', headers }, by)).toBe('200 GET')
    const last = seen.at(-1)
    expect([last?.['authorization'], last?.['x-hub-signature'], last?.['content-type'], last?.['x-plain']]).toEqual([
      undefined,
      undefined,
      undefined,
      'kept',
    ])
  })
})

describe('a name that changes its address', () => {
  it('is asked once a connection, and the connection goes where was checked', async () => {
    answer = (_request, response) => response.end('open')
    const answers = [['127.0.0.2'], ['127.0.0.1']]
    const by = outbound(async () => answers.shift() ?? [])
    const before = reachedClosed
    expect(await textOf(`http://rebind.test:${openPort}/`, {}, by)).toBe('200 open')
    expect((await reasonOf(by.fetch(`http://rebind.test:${openPort}/`, usual)))[0]).toBe('unreachable')
    expect(reachedClosed).toBe(before)
  })

  it('with a private address besides a public one is reached at the public one only', async () => {
    const by = outbound(async () => ['::1', '127.0.0.1', '127.0.0.2'])
    expect(await textOf(`http://two.test:${openPort}/`, {}, by)).toBe('200 open')
  })
})

describe('an answer', () => {
  it('packed comes unpacked and is counted so', async () => {
    answer = (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('a'.repeat(999)))
    expect((await textOf(openAt)).length).toBe(1003)
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    answer = (_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb)
    expect((await reasonOf(textOf(openAt)))[0]).toBe('tooLarge')
    answer = (_request, response) => response.setHeader('content-encoding', 'gzip').end('not packed')
    expect((await reasonOf(textOf(openAt)))[0]).toBe('unreachable')
    answer = (_request, response) => response.setHeader('content-encoding', 'mystery').end('x')
    expect((await reasonOf(textOf(openAt)))[0]).toBe('unreachable')
  })

  it('without an end is cut at the limit', async () => {
    answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', more)
      more()
    }
    expect((await reasonOf(textOf(openAt)))[0]).toBe('tooLarge')
  })

  it('that drips is given up, and so is one that never begins', async () => {
    answer = (_request, response) => {
      const drip = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(drip))
    }
    expect((await reasonOf(textOf(openAt)))[0]).toBe('tooSlow')
    answer = () => undefined
    expect((await reasonOf(textOf(openAt, { timeoutMs: 300 })))[0]).toBe('tooSlow')
  })

  it('with endless headers, or shorter than it says, is refused', async () => {
    answer = (_request, response) => response.setHeader('x-long', 'x'.repeat(40_000)).end()
    expect((await reasonOf(textOf(openAt)))[0]).toBe('unreachable')
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('short')
      setTimeout(() => response.destroy(), 50)
    }
    expect((await reasonOf(textOf(openAt)))[0]).toBe('unreachable')
  })

  it('is left when its caller stops', async () => {
    answer = () => undefined
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 50)
    expect((await reasonOf(textOf(openAt, { signal: stop.signal })))[0]).toBe('unreachable')
  })
})
