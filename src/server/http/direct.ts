import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { Context } from '../context.ts'
import type { Download, Implementation, WireAccess } from '../implement.ts'
import type { CallPlace } from '../place.ts'
import { takesStream } from './bodies.ts'
import { type DirectMessage, DirectRequest } from './direct-request.ts'
import { refuseSecondHost } from './hosts.ts'
import { type CallParts, validatorsOf } from './inside-call.ts'
import { headWriter } from './json-answer.ts'
import { inForm } from './problem.ts'

/** Carries out a request for a call, whose parameters were read, and answers it. Never rejects. */
export type Serve = (
  raw: DirectMessage,
  answer: ServerResponse,
  params: Readonly<Record<string, string>>,
  id: string,
) => Promise<void>

type DirectParts = Omit<CallParts, 'enterByKey' | 'perform'> & { handler: Implementation['handlers'][string] }

/**
 * The same steps as of every other call, one after another: allowance, admission, validation, handler, answer. The handler
 * runs once, as a stream can be read once.
 */
export function directCall(parts: DirectParts): Serve {
  const { server, contract, name, call, handler, spend, enter, measure } = parts
  const { refusal: form } = contract
  if (!form || !takesStream(call) || call.who !== 'anonymous')
    throw new Error(`${contract.name} ${name} cannot be direct: it is no protocol for anybody with refusals of its own`)
  const validators = validatorsOf(call)
  const write = headWriter(server.config)
  return async (raw, answer, params, id) => {
    const request = new DirectRequest(server, raw, params, id) as DirectRequest & FastifyRequest
    try {
      const refused = refuseSecondHost(raw) ?? spend(request)
      if (refused) throw refused
      const place = enter(request) as CallPlace
      for (const [part, validate] of validators) {
        const { error } = validate(request[part])
        if (error) throw error
      }
      const { query } = request
      const ctx = new Context(server, place)
      const input = { params, query, body: {}, stream: raw, request }
      // Here and not in a function: each wait for another one costs a call half a microsecond.
      let download: Download
      try {
        download = (await handler(ctx, input as never, new NoReply(request))) as Download
        const committing = ctx.commit()
        if (committing) await committing
      } catch (error) {
        await ctx.rollback()
        throw error
      }
      const { status = 200, headers, body } = download
      const isStream = body instanceof Readable
      write(answer, id, isStream ? { status, headers } : { status, headers, body })
      measure(request, status)
      if (isStream) await pipeline(body, answer)
    } catch (error) {
      // Of a body that broke nothing more can be said but to the log: the pipeline has closed the connection.
      if (answer.headersSent) {
        server.log.warn({ requestId: id, reason: (error as Error).message }, 'an answer broke off')
        return void answer.destroy()
      }
      const { status, headers, body } = inForm(form, error as Error, request)
      write(answer, id, { status, headers, body })
      measure(request, status)
      // A sender that is still sending would see a broken connection instead of the refusal.
      raw.resume()
    }
  }
}

class NoReply implements WireAccess {
  readonly request: FastifyRequest

  constructor(request: FastifyRequest) {
    this.request = request
  }

  get reply(): never {
    throw new Error('a direct call has no reply: what its handler returns is all of its answer')
  }
}

/** Addresses that are remembered, and how long one may be. */
const kept = { addresses: 1_000, characters: 300 }

/** An address and who serves it, by method. */
interface Place {
  /** Up to the first parameter. */
  start: string
  names: readonly string[]
  /** The last parameter is all the rest, slashes too. */
  hasRest: boolean
  byMethod: Map<string, Serve>
}

/** Where an address leads. The parameters are those of all who ask for it. */
interface Found {
  place: Place
  params: Readonly<Record<string, string>>
}

/**
 * Calls that apps make thousands of times a second. They go from Node's server to their handler, as the way through the
 * framework takes a sixth of such a call. Whatever else is asked, and these calls wherever their address is written in an
 * unusual way, goes through the framework.
 */
export class DirectCalls {
  readonly #places = new Map<string, Place>()
  #list: readonly Place[] = []
  /** Addresses as they were read, by path: an app asks the same ones again and again. */
  readonly #read = new Map<string, Found>()
  #arrived: (() => void)[] = []
  #isClosed = false

  /** @param path `/fn/*`, `/calls/:space/:target`: parameters and nothing else behind the first of them */
  add(path: string, methods: readonly string[], serve: Serve): void {
    const [start, ...names] = path.split(/\/(?=[:*])/) as [string, ...string[]]
    if (names.length === 0 || names.some(name => name.includes('/')))
      throw new Error(`${path} cannot be direct: it does not end in parameters`)
    const place = this.#places.get(path) ?? {
      start: `${start}/`,
      names: names.map(name => name.replace(':', '')),
      hasRest: names.at(-1) === '*',
      byMethod: new Map(),
    }
    for (const method of methods) place.byMethod.set(method, serve)
    this.#list = [...this.#places.set(path, place).values()]
  }

  /**
   * Takes what it has a place for, and leaves the rest to whoever listened before.
   *
   * @param rewrite the address without what its host or its zone put in front
   */
  listen(http: HttpServer, { rewrite, newId }: { rewrite(raw: IncomingMessage): string; newId(): string }): void {
    const others = http.listeners('request')
    http.removeAllListeners('request')
    http.on('request', (raw: DirectMessage, answer: ServerResponse) => {
      const url = rewrite(raw)
      const found = this.#isClosed ? undefined : this.#find(raw.method ?? '', url)
      if (!found) {
        for (const other of others) other.call(http, raw, answer)
        return
      }
      if (raw.url !== undefined) raw.originalUrl = raw.url
      raw.url = url
      const serve = found.place.byMethod.get(raw.method ?? '') as Serve
      this.#arrive(() => void serve(raw, answer, found.params, newId()))
    })
  }

  /** After all that this turn reads: a body that came along with its head is whole by then, and is read without waiting. */
  #arrive(begin: () => void): void {
    if (this.#arrived.push(begin) > 1) return
    setImmediate(() => {
      const arrived = this.#arrived
      this.#arrived = []
      for (const one of arrived) one()
    })
  }

  /** From now on the framework answers everything: it tells whoever asks that the server is about to end. */
  close(): void {
    this.#isClosed = true
  }

  #find(method: string, url: string): Found | undefined {
    const query = url.indexOf('?')
    const path = query < 0 ? url : url.slice(0, query)
    const found = this.#read.get(path) ?? this.#readAnew(path)
    return found?.place.byMethod.has(method) ? found : undefined
  }

  #readAnew(path: string): Found | undefined {
    for (const place of this.#list) {
      const params = path.startsWith(place.start) ? paramsOf(place, path) : undefined
      if (!params) continue
      const found = { place, params }
      // What is behind a rest is another one each time.
      if (!place.hasRest && path.length <= kept.characters) this.#remember(path, found)
      return found
    }
    return undefined
  }

  #remember(path: string, found: Found): void {
    if (this.#read.size >= kept.addresses) this.#read.clear()
    this.#read.set(path, found)
  }
}

/** Undefined where the address is another one, or cannot be read. */
function paramsOf({ start, names, hasRest }: Place, path: string): Found['params'] | undefined {
  const end = path.length
  const params: Record<string, string> = {}
  let from = start.length
  for (const [at, name] of names.entries()) {
    const isLast = at === names.length - 1
    const slash = isLast && hasRest ? -1 : path.indexOf('/', from)
    const to = slash < 0 ? end : slash
    const isWhole = isLast ? to === end : to < end
    const value = isWhole && to > from ? decoded(path.slice(from, to)) : undefined
    if (value === undefined) return undefined
    params[name] = value
    from = to + 1
  }
  return Object.freeze(params)
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
