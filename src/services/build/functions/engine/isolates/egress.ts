import { chmod } from 'node:fs/promises'
import http from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import tls from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { type InstanceSpec, NotReachable } from '../port.ts'

type Connect = InstanceSpec['connect']

/** Of requests and connections of one copy at the same time. */
const mostAtOnce = 100
const handshakeMs = 10_000
/** Between us and what asks, or for the next hop alone. */
const notPassed =
  /^(x-loggia-copy|x-loggia-refused|connection|proxy-.*|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

interface Copy {
  connect: Connect
  agent: Agent
  atOnce: number
}

/**
 * The way out of one process: a proxy behind a socket that only that process has. Whatever a copy asks for goes by the
 * `connect` of its own version; for addresses with TLS the server speaks it.
 */
export class Egress {
  readonly #copies = new Map<string, Copy>()
  readonly #server = http.createServer({ requireHostHeader: false })
  readonly #sockets = new Set<Duplex>()

  constructor() {
    this.#server.on('connection', socket => this.#hold(socket))
    this.#server.on('request', (request, response) => {
      const copy = String(request.headers['x-loggia-copy'] ?? '')
      this.#counted(copy, ({ agent }) => forward(agent, request, response)).catch(error => {
        if (response.headersSent) return response.destroy()
        response.writeHead(502, { 'x-loggia-refused': codeOf(error) }).end()
      })
    })
    this.#server.on('connect', (request, near) => {
      near.on('error', () => near.destroy())
      // `COPY.host:port`; the host may be an address of the sixth version with underscores.
      const [, copy = '', host = '', port = ''] = /^([^.]+)\.(.+):(\d{1,5})$/.exec(String(request.url)) ?? []
      const far = { host: host.replaceAll('_', ':'), port: Number(port) }
      this.#counted(copy, ({ connect }) => this.#tunnel(connect, far, near)).catch(() => {
        near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      })
    })
  }

  async listen(place: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(place, resolve)
    })
    await chmod(place, 0o666)
  }

  open(copy: string, connect: Connect): void {
    const agent = new Agent({
      connect: (options, done) => {
        dial(connect, options).then(
          socket => done(null, socket),
          error => done(error, null),
        )
      },
    })
    this.#copies.set(copy, { connect, agent, atOnce: 0 })
  }

  close(copy: string): void {
    const known = this.#copies.get(copy)
    this.#copies.delete(copy)
    void known?.agent.destroy().catch(() => undefined)
  }

  async end(): Promise<void> {
    for (const copy of [...this.#copies.keys()]) this.close(copy)
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }

  async #counted(name: string, work: (copy: Copy) => Promise<void>): Promise<void> {
    const copy = this.#copies.get(name)
    if (!copy) throw new NotReachable('nobody asks')
    if (copy.atOnce >= mostAtOnce) throw Object.assign(new Error('too many connections'), { code: 'EMFILE' })
    copy.atOnce++
    try {
      await work(copy)
    } finally {
      copy.atOnce--
    }
  }

  async #tunnel(connect: Connect, { host, port }: { host: string; port: number }, near: Duplex): Promise<void> {
    const far = await reachBy(connect, host, port)
    this.#hold(far as Duplex)
    near.write('HTTP/1.1 200 OK\r\n\r\n')
    await new Promise<void>(resolve => {
      pipeline(near, far, () => resolve())
      pipeline(far, near, () => undefined)
    })
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

async function forward(agent: Agent, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const url = new URL(String(request.url))
  const hasBody = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
  const answer = await agent.request({
    ...{ origin: url.origin, path: url.pathname + url.search, method: request.method as Dispatcher.HttpMethod },
    headers: { ...passed(request.headers), host: url.host },
    ...(hasBody && { body: request }),
  })
  response.writeHead(answer.statusCode, passed(answer.headers))
  await new Promise<void>(resolve => pipeline(answer.body, response, () => resolve()))
}

async function reachBy(connect: Connect, host: string, port: number) {
  if (!connect || port < 1 || port > 65_535) throw new NotReachable('nothing may leave')
  return connect(host.replace(/^\[|\]$/g, ''), port)
}

async function dial(connect: Connect, { hostname, port, protocol, servername }: Asked): Promise<Socket> {
  const isSecure = protocol === 'https:'
  const far = (await reachBy(connect, hostname, Number(port) || (isSecure ? 443 : 80))) as Socket
  if (!isSecure) return far
  const secure = tls.connect({ socket: far, servername: servername ?? hostname, ALPNProtocols: ['http/1.1'] })
  await new Promise<void>((resolve, reject) => {
    secure.setTimeout(handshakeMs, () => secure.destroy(new Error('no answer')))
    secure.once('secureConnect', resolve)
    secure.once('error', reject)
  })
  return secure.setTimeout(0)
}

interface Asked {
  hostname: string
  port: string
  protocol: string
  servername?: string | undefined
}

function passed(headers: http.IncomingHttpHeaders): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !notPassed.test(name))
  return Object.fromEntries(kept) as Record<string, string | string[]>
}

/** As Node's own errors name it, those of TLS too. */
function codeOf(error: unknown): string {
  if (error instanceof NotReachable) return 'EACCES'
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : 'ECONNREFUSED'
}
