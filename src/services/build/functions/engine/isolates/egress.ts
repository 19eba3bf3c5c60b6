import { chmod } from 'node:fs/promises'
import http from 'node:http'
import type { Duplex } from 'node:stream'
import { type InstanceSpec, NotReachable } from '../port.ts'
import { codeOf, WayOut } from '../way-out.ts'

/** The way out of one process: a proxy behind a socket that only that process has, for all of its copies. */
export class Egress {
  readonly #copies = new Map<string, WayOut>()
  readonly #server = http.createServer({ requireHostHeader: false })
  readonly #sockets = new Set<Duplex>()

  constructor() {
    this.#server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.on('request', async (request, response) => {
      try {
        await this.#of(String(request.headers['x-loggia-copy'] ?? '')).forward(request, response)
      } catch (error) {
        if (response.headersSent) return response.destroy()
        response.writeHead(502, { 'x-loggia-refused': codeOf(error) }).end()
      }
    })
    this.#server.on('connect', async (request, near) => {
      near.on('error', () => near.destroy())
      // `COPY.host:port`; the host may be an address of the sixth version with underscores.
      const [, copy = '', host = '', port = ''] = /^([^.]+)\.(.+):(\d{1,5})$/.exec(String(request.url)) ?? []
      try {
        await this.#of(copy).tunnel(host.replaceAll('_', ':'), Number(port), near)
      } catch {
        near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      }
    })
  }

  async listen(place: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(place, resolve)
    })
    await chmod(place, 0o666)
  }

  open(copy: string, connect: InstanceSpec['connect']): void {
    this.#copies.set(copy, new WayOut(connect))
  }

  close(copy: string): void {
    this.#copies.get(copy)?.close()
    this.#copies.delete(copy)
  }

  async end(): Promise<void> {
    for (const copy of [...this.#copies.keys()]) this.close(copy)
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }

  #of(name: string): WayOut {
    const copy = this.#copies.get(name)
    if (!copy) throw new NotReachable('nobody asks')
    return copy
  }
}
