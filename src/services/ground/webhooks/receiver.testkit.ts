import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: Record<string, string>
  body: string
}

type Answer = (response: http.ServerResponse, received: Received) => void

/** Somebody's server that takes webhooks, as a test wants it to answer. */
export class Receiver {
  readonly received: Received[] = []
  answer: Answer = response => response.end('thanks')
  readonly #server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString('utf8')
    const received = { path: request.url ?? '', headers: request.headers as Record<string, string>, body }
    this.received.push(received)
    this.answer(response, received)
  })

  static async open(): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>(resolve => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  at(path: string): Received[] {
    return this.received.filter(one => one.path === path)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}
