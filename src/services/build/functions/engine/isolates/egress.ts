import { chmod } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { type InstanceSpec, NotReachable } from '../port.ts'
import { ProxyServer } from '../proxy-server.ts'
import { codeOf, WayOut } from '../way-out.ts'

/** `COPY.host:port`; the host may be an address of the sixth version with underscores. */
const named = (request: IncomingMessage) => /^([^.]+)\.(.+):(\d{1,5})$/.exec(String(request.url)) ?? []

/** The way out of one process: a proxy behind a socket that only that process has, for all of its copies. */
export class Egress {
  readonly #copies = new Map<string, WayOut>()
  readonly #proxy = new ProxyServer({
    wayOf: request => {
      const name = request.method === 'CONNECT' ? named(request)[1] : request.headers['x-loggia-copy']
      const copy = this.#copies.get(String(name))
      if (!copy) throw new NotReachable('nobody asks')
      return copy
    },
    targetOf: request => {
      const [, , host = '', port = ''] = named(request)
      return { host: host.replaceAll('_', ':'), port: Number(port) }
    },
    refusal: error => ({ status: 502, headers: { 'x-loggia-refused': codeOf(error) }, text: '' }),
  })

  async listen(place: string): Promise<void> {
    await this.#proxy.listen(place)
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
    await this.#proxy.end()
  }
}
