import type { IncomingMessage } from 'node:http'
import { type ParsedUrlQuery, parse } from 'node:querystring'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import type { Server } from '../server.ts'
import { headersOf } from './said-headers.ts'

/** As Node read it, with the address that was asked for and the zone that was cut from it. */
export type DirectMessage = IncomingMessage & { originalUrl?: string }

/** Whoever stands in front is believed, and whoever stood in front of that. */
const trustAll = () => true

/** What the steps and the handler of a direct call ask of a request; each is made when it is asked for. */
export class DirectRequest
  implements Pick<FastifyRequest, 'id' | 'params' | 'headers' | 'method' | 'url' | 'originalUrl' | 'query' | 'ip'>
{
  readonly id: string
  readonly raw: DirectMessage
  readonly params: Readonly<Record<string, string>>
  readonly body = undefined
  readonly startedAt = performance.now()
  readonly #server: Server
  #query: ParsedUrlQuery | undefined
  #headers: Readonly<IncomingMessage['headers']> | undefined

  constructor(server: Server, raw: DirectMessage, params: Readonly<Record<string, string>>, id: string) {
    this.#server = server
    this.raw = raw
    this.params = params
    this.id = id
  }

  get headers(): IncomingMessage['headers'] {
    this.#headers ??= headersOf(this.raw)
    return this.#headers
  }

  get method(): string {
    return this.raw.method ?? ''
  }

  get url(): string {
    return this.raw.url ?? ''
  }

  get originalUrl(): string {
    return this.raw.originalUrl ?? this.url
  }

  get query(): ParsedUrlQuery {
    const at = this.url.indexOf('?')
    this.#query ??= at < 0 ? {} : parse(this.url.slice(at + 1))
    return this.#query
  }

  get ip(): string {
    const { raw } = this
    return this.#server.config.trustProxy ? proxyAddr(raw, trustAll) : (raw.socket.remoteAddress ?? '')
  }

  get log(): Log {
    return this.#server.log
  }

  get routeOptions(): { url: string } {
    return { url: this.url }
  }
}
