import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import tls from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import { type InstanceSpec, NotReachable } from './port.ts'

type Connect = InstanceSpec['connect']

/** Of requests and connections of one copy at the same time. */
const mostAtOnce = 100
const handshakeMs = 10_000
/** Between us and what asks, or for the next hop alone; who expects to be told to go on is told so by our server. */
const notPassed =
  /^(x-loggia-copy|x-loggia-refused|connection|proxy-.*|keep-alive|te|trailer|transfer-encoding|upgrade|expect)$/i

/** What a proxy does for one copy: whatever that asks for goes by the `connect` of its version. */
export class WayOut {
  readonly #connect: Connect
  readonly #agent: Agent
  readonly #tunnels = new Set<Duplex>()
  #atOnce = 0

  constructor(connect: Connect) {
    this.#connect = connect
    this.#agent = new Agent({
      connect: (options, done) => {
        dial(connect, options).then(
          socket => done(null, socket),
          error => done(error, null),
        )
      },
    })
  }

  /** Passes on a request with a whole address; where it has TLS, the server speaks it. Throws before anything was answered. */
  async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#counted(async () => {
      if (!URL.canParse(String(request.url))) throw new NotReachable('a proxy is asked for whole addresses')
      const url = new URL(String(request.url))
      const { headers, method } = request
      const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
      const answer = await this.#agent.request({
        ...{ origin: url.origin, path: url.pathname + url.search, method: method as Dispatcher.HttpMethod },
        headers: { ...passed(headers), host: url.host },
        ...(hasBody && { body: request }),
      })
      response.writeHead(answer.statusCode, passed(answer.headers))
      await new Promise<void>(resolve => pipeline(answer.body, response, () => resolve()))
    })
  }

  /** Leads what asked by `CONNECT` to the far end until either of them ends. Throws before anything was answered. */
  async tunnel(host: string, port: number, near: Duplex): Promise<void> {
    await this.#counted(async () => {
      const far = await reachBy(this.#connect, host, port)
      this.#tunnels.add(near)
      near.write('HTTP/1.1 200 OK\r\n\r\n')
      await new Promise<void>(resolve => {
        pipeline(near, far, () => resolve())
        pipeline(far, near, () => undefined)
      })
      this.#tunnels.delete(near)
    })
  }

  close(): void {
    for (const near of this.#tunnels) near.destroy()
    void this.#agent.destroy().catch(() => undefined)
  }

  async #counted(work: () => Promise<void>): Promise<void> {
    if (this.#atOnce >= mostAtOnce) throw Object.assign(new Error('too many connections'), { code: 'EMFILE' })
    this.#atOnce++
    try {
      await work()
    } finally {
      this.#atOnce--
    }
  }
}

/** Why a far end was not reached, as Node's own errors name it, those of TLS too. */
export function codeOf(error: unknown): string {
  if (error instanceof NotReachable) return 'EACCES'
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code) ? code : 'ECONNREFUSED'
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

function passed(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !notPassed.test(name))
  return Object.fromEntries(kept) as Record<string, string | string[]>
}
