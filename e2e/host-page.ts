import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

interface Heard {
  origin: string
  data: { functionName: string; params: Record<string, unknown> }
}

const script = `
window.heard = []
addEventListener('message', ({ origin, data }) => window.heard.push({ origin, data }))
const asked = new URLSearchParams(location.search)
for (const address of asked.getAll('frame')) {
  const frame = document.createElement('iframe')
  Object.assign(frame, { src: address, width: 390, height: 844, title: 'held' })
  document.body.append(frame)
}
`

/** Somebody else's site: its page holds the addresses that its query names in frames, and keeps every message it gets. */
export class HostPage {
  readonly origin: string
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.origin = `http://localhost:${(server.address() as AddressInfo).port}`
  }

  /** Listens on a free port. */
  static async open(): Promise<HostPage> {
    const server = createServer((_request, reply) => {
      reply.setHeader('content-type', 'text/html; charset=utf-8')
      reply.end(`<!doctype html><html lang="en"><title>Host</title><body><script>${script}</script></body></html>`)
    })
    await new Promise<void>(done => server.listen(0, 'localhost', done))
    return new HostPage(server)
  }

  /** The address of its page with these in frames, in this order. */
  holding(...addresses: string[]): string {
    return `${this.origin}/?${addresses.map(address => `frame=${encodeURIComponent(address)}`).join('&')}`
  }

  /** The address of its page with nothing in it. */
  whispering(): string {
    return `${this.origin}/`
  }

  heard(page: Page): Promise<Heard[]> {
    return page.evaluate('window.heard')
  }

  /** Says something to the first frame of its page. */
  async say(page: Page, message: Heard['data']): Promise<void> {
    await page.evaluate(`frames[0].postMessage(${JSON.stringify(message)}, '*')`)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(done => this.#server.close(done))
  }
}
