import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'
import type { Order, Report } from '../frames.ts'

/**
 * The process has no network. A connection that the code wants is asked of the server, which looks at where it leads and
 * opens one door for it: a socket in a folder of this process alone. Whoever goes round this file has no network at all.
 */
const waiting = new Map<string, { opened(path: string): void; closed(reason: string): void }>()
let count = 0

export function settleConnection(order: Order & { type: 'opened' | 'closed' }): void {
  const asked = waiting.get(order.id)
  waiting.delete(order.id)
  if (order.type === 'opened') asked?.opened(order.path)
  else asked?.closed(order.reason)
}

interface Wanted {
  host?: string
  port?: number | string
  path?: string | null
}
type Normalise = (given: unknown[]) => [Wanted, (() => void) | null]

export function guideConnections(say: (report: Report) => void): void {
  const { _normalizeArgs: normalise } = net as unknown as { _normalizeArgs: Normalise }
  const connect = net.Socket.prototype.connect as (this: net.Socket, ...given: unknown[]) => net.Socket
  net.Socket.prototype.connect = function (this: net.Socket & { connecting: boolean }, ...given: unknown[]) {
    const [options, callback] = Array.isArray(given[0]) ? (given[0] as ReturnType<Normalise>) : normalise(given)
    if (options.path) {
      const error = new Error(`connect EACCES ${options.path}: a function connects by host and port`)
      return this.destroy(Object.assign(error, { code: 'EACCES' }))
    }
    if (callback) this.once('connect', callback)
    this.connecting = true
    const id = String(++count)
    waiting.set(id, {
      opened: path => {
        if (!this.destroyed) connect.call(this, { ...options, host: undefined, port: undefined, path })
      },
      closed: reason => {
        const error = new Error(`connect ${reason} ${options.host}:${options.port}`)
        this.destroy(Object.assign(error, { code: reason }))
      },
    })
    say({ type: 'open', id, host: String(options.host ?? 'localhost'), port: Number(options.port) })
    return this
  } as typeof net.Socket.prototype.connect

  const secure = tls.connect as (options: tls.ConnectionOptions, callback?: () => void) => tls.TLSSocket
  const connectSecurely = (...given: unknown[]): tls.TLSSocket => {
    const [options, callback] = normalise(given) as unknown as [tls.ConnectionOptions, (() => void) | null]
    const done = callback ?? undefined
    if (options.socket || options.path) return secure(options, done)
    const socket = net.connect({ host: options.host ?? 'localhost', port: Number(options.port) })
    return secure(
      { servername: net.isIP(options.host ?? '') ? '' : options.host, ...options, socket } as tls.ConnectionOptions,
      done,
    )
  }
  tls.connect = connectSecurely as typeof tls.connect
  syncBuiltinESMExports()
}
