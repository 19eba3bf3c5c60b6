import http, { type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WayOut } from './way-out.ts'

/** Whose requests they are, and what is answered where one leads nowhere. */
export interface Proxied {
  /** Throws where nobody of ours asks. */
  wayOf(request: IncomingMessage): WayOut
  /** What a `CONNECT` names. */
  targetOf(request: IncomingMessage): { host: string; port: number }
  refusal(error: unknown): { status: number; headers: Record<string, string>; text: string }
}

/** A proxy of HTTP behind a socket that only those have whom it serves. */
export class ProxyServer {
  readonly #server = http.createServer({ requireHostHeader: false })
  readonly #sockets = new Set<Duplex>()

  constructor({ wayOf, targetOf, refusal }: Proxied, mostConnections?: number) {
    if (mostConnections !== undefined) this.#server.maxConnections = mostConnections
    this.#server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.on('request', async (request, response) => {
      try {
        await wayOf(request).forward(request, response)
      } catch (error) {
        if (response.headersSent) return response.destroy()
        const { status, headers, text } = refusal(error)
        response.writeHead(status, headers).end(text)
      }
    })
    this.#server.on('connect', async (request, near) => {
      near.on('error', () => near.destroy())
      try {
        const { host, port } = targetOf(request)
        await wayOf(request).tunnel(host, port, near)
      } catch (error) {
        const { status, headers, text } = refusal(error)
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        near.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
      }
    })
  }

  async listen(place: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(place, resolve)
    })
  }

  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }
}
