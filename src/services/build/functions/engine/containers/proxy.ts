import type { IncomingMessage } from 'node:http'
import type { InstanceSpec } from '../port.ts'
import { ProxyServer } from '../proxy-server.ts'
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

/** The way out of one copy: a proxy behind a socket that only its door has. Answers what ends it. */
export async function openProxy(place: string, connect: InstanceSpec['connect']): Promise<() => Promise<void>> {
  const way = new WayOut(connect)
  const refusal = (error: unknown) => {
    const { status, why } = refusalOf(error)
    return { status, headers: { 'content-type': 'text/plain' }, text: `${why}\n` }
  }
  const targetOf = (request: IncomingMessage) => {
    const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(String(request.url)) ?? []
    return { host, port: Number(port) }
  }
  const server = new ProxyServer({ wayOf: () => way, targetOf, refusal }, mostConnections)
  await server.listen(place)
  return async () => {
    way.close()
    await server.end()
  }
}

function refusalOf(error: unknown): { status: number; why: string } {
  const code = codeOf(error)
  if (code === 'EACCES') return { status: 403, why: 'EACCES: a function may not connect there' }
  if (code === 'EMFILE') return { status: 503, why: 'EMFILE: too many connections at once' }
  return { status: 502, why: `${code}: nobody answers there` }
}
