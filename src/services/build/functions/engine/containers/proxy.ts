import http from 'node:http'
import type { Duplex } from 'node:stream'
import type { InstanceSpec } from '../port.ts'
import { codeOf, WayOut } from '../way-out.ts'

/** Where the door beside a function listens for what that asks of others. */
export const proxyPort = 3128

const mostConnections = 200

/** What programs in most languages go by, without a word in them about it. */
export function proxyEnvironment(): Record<string, string> {
  const address = `http://127.0.0.1:${proxyPort}`
  const near = 'localhost,127.0.0.1'
  return {
    ...{ HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: near },
    ...{ http_proxy: address, https_proxy: address, no_proxy: near },
    NODE_USE_ENV_PROXY: '1',
  }
}

/** The way out of one copy: a proxy behind a socket that only its door has. */
export class CopyProxy {
  readonly #way: WayOut
  readonly #server = http.createServer({ requireHostHeader: false })
  readonly #sockets = new Set<Duplex>()

  private constructor(connect: InstanceSpec['connect']) {
    this.#way = new WayOut(connect)
    this.#server.maxConnections = mostConnections
    this.#server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.on('request', (request, response) => {
      this.#way.forward(request, response).catch(error => {
        if (response.headersSent) return response.destroy()
        const { status, why } = refusalOf(error)
        response.writeHead(status, { 'content-type': 'text/plain' }).end(`${why}\n`)
      })
    })
    this.#server.on('connect', (request, near) => {
      near.on('error', () => near.destroy())
      const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(String(request.url)) ?? []
      this.#way.tunnel(host, Number(port), near).catch(error => {
        const { status, why } = refusalOf(error)
        near.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\ncontent-type: text/plain\r\n\r\n${why}\n`)
      })
    })
  }

  static async listen(place: string, connect: InstanceSpec['connect']): Promise<CopyProxy> {
    const proxy = new CopyProxy(connect)
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject)
      proxy.#server.listen(place, resolve)
    })
    return proxy
  }

  async close(): Promise<void> {
    this.#way.close()
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }
}

function refusalOf(error: unknown): { status: number; why: string } {
  const code = codeOf(error)
  if (code === 'EACCES') return { status: 403, why: 'EACCES: a function may not connect there' }
  if (code === 'EMFILE') return { status: 503, why: 'EMFILE: too many connections at once' }
  return { status: 502, why: `${code}: nobody answers there` }
}
