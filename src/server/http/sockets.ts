import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { WebSocket } from 'ws'
import { type CallSpec, type Contract, pathOf } from '../../kernel/contract.ts'
import { commonErrors, Refusal, refuse } from '../../kernel/errors.ts'
import { zoneOfSlug } from '../../kernel/zones.ts'
import type { Config } from '../config.ts'
import { Context } from '../context.ts'
import type { Implementation, SocketLine } from '../implement.ts'
import { reasonOf } from '../log.ts'
import type { CallPlace } from '../place.ts'
import type { Server } from '../server.ts'

/** What one process holds open at most, and one address of it. */
const mostLines = 10_000
const mostLinesOfAddress = 4_000
const pingEveryMs = 30_000
/** Frames that wait in our memory for a slow reader. */
const mostWaitingBytes = 1_048_576
const messagesPerSecond = 200

/** Status codes of RFC 6455 and, above 4000, our own: 4000 and the HTTP status of the refusal. */
const closeCodes = { goingAway: 1001, tooBig: 1009, policy: 1008, failed: 1011 }

interface Lines {
  open: number
  byAddress: Map<string, number>
}
const linesOf = new WeakMap<Server, Lines>()

/** Readies the scope of a contract for WebSockets: only its own addresses can be upgraded. */
export async function openSockets(app: FastifyInstance, one: Implementation): Promise<void> {
  const addresses = new Set(
    Object.values(one.contract.calls).flatMap(call => (call.kind === 'socket' ? [pathOf(one.contract, call)] : [])),
  )
  const largest = Math.max(...Object.values(one.contract.calls).map(call => call.bodyLimit ?? defaultFrame))
  // The plugin hears only of upgrades that are meant for it; what nobody hears of is refused.
  const upgrades = new EventEmitter()
  const known = upgradesOf(app)
  for (const address of addresses) known.set(address, upgrades)
  await app.register(websocket, {
    options: { server: upgrades as never, maxPayload: largest, perMessageDeflate: false },
    preClose: done => {
      const { clients } = app.websocketServer
      for (const client of clients) client.close(closeCodes.goingAway, 'the server stops')
      setTimeout(() => {
        for (const client of clients) client.terminate()
      }, 300).unref()
      done()
    },
  })
}

const listening = new WeakMap<object, Map<string, EventEmitter>>()

/** Who hears of upgrades, by address; one listener a server, however many contracts have sockets. */
function upgradesOf(app: FastifyInstance): Map<string, EventEmitter> {
  const known = listening.get(app.server)
  if (known) return known
  const upgrades = new Map<string, EventEmitter>()
  listening.set(app.server, upgrades)
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const hearer = upgrades.get(addressOf(request.url ?? '/'))
    if (hearer) hearer.emit('upgrade', request, socket, head)
    else socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
  })
  return upgrades
}

/** Bytes of a frame, unless the contract says. */
const defaultFrame = 65_536

function addressOf(url: string): string {
  const path = url.split('?', 1)[0] as string
  return path[3] === '/' && zoneOfSlug(path.slice(1, 3)) !== undefined ? path.slice(3) : path
}

/** A WebSocket: allowance, gate, origin and shapes stand before the upgrade; the handler has the open line. */
export function mountSocket(
  app: FastifyInstance,
  server: Server,
  one: {
    contract: Contract
    call: CallSpec
    onRequest: unknown[]
    handler: Implementation['handlers'][string]
  },
): void {
  const { call, handler } = one
  const giveBack = new WeakMap<FastifyRequest, () => void>()
  app.route({
    method: 'GET',
    url: pathOf(one.contract, call),
    websocket: true,
    exposeHeadRoute: false,
    schema: {
      ...(call.params ? { params: call.params } : {}),
      ...(call.query ? { querystring: call.query } : {}),
    },
    onRequest: one.onRequest as onRequestHookHandler[],
    preHandler: (request, _reply, done) => {
      try {
        checkOrigin(call, request, server.config)
        giveBack.set(request, takeLine(server, request.ip))
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    handler: (socket, request) => {
      socket.on('close', () => giveBack.get(request)?.())
      const { place } = request as FastifyRequest & { place?: CallPlace }
      if (!place) throw new Error('the request was not admitted')
      const { params, query } = request
      const largest = call.bodyLimit ?? defaultFrame
      void serveLine(server, place, { socket, request, largest }, (ctx, line) =>
        handler(ctx, { params, query, line } as never, undefined as never),
      )
    },
  })
}

/**
 * Refuses what a page of somebody else's site would open with the cookies of a visitor. Calls of the anonymous audience
 * read no cookie; their pages may be anywhere.
 */
function checkOrigin(call: CallSpec, request: FastifyRequest, config: Config): void {
  if (call.who === 'anonymous') return
  const { origin, host } = request.headers
  if (origin === undefined) return
  const isOwn = origin === new URL(config.publicUrl).origin || (URL.canParse(origin) && new URL(origin).host === host)
  if (!isOwn) refuse(commonErrors.csrf)
}

/** Counts a line before it is opened; too many are refused as too many calls are. */
function takeLine(server: Server, address: string): () => void {
  const lines = linesOf.get(server) ?? { open: 0, byAddress: new Map<string, number>() }
  linesOf.set(server, lines)
  const own = lines.byAddress.get(address) ?? 0
  if (lines.open >= mostLines || own >= mostLinesOfAddress) refuse(commonErrors.tooMany, { retryAfterSeconds: 10 })
  lines.open++
  lines.byAddress.set(address, own + 1)
  let isGiven = false
  return () => {
    if (isGiven) return
    isGiven = true
    lines.open--
    const left = (lines.byAddress.get(address) ?? 1) - 1
    if (left === 0) lines.byAddress.delete(address)
    else lines.byAddress.set(address, left)
  }
}

/** Runs the handler on an open line. Whatever it throws ends the line with the number of the refusal as the reason. */
async function serveLine(
  server: Server,
  place: CallPlace,
  open: OpenLine,
  run: (ctx: Context, line: SocketLine) => Promise<unknown>,
): Promise<void> {
  const line = new WireLine(open)
  const ctx = new Context(server, place)
  try {
    await run(ctx, line)
    await ctx.commit()
  } catch (error) {
    await ctx.rollback()
    line.fail(error, reason => server.log.error({ err: error, requestId: open.request.id }, reason))
  }
}

interface OpenLine {
  socket: WebSocket
  request: FastifyRequest
  /** Bytes of a frame. */
  largest: number
}

class WireLine implements SocketLine {
  readonly request: FastifyRequest
  readonly #socket: WebSocket
  readonly #largest: number
  readonly #closers: (() => void)[] = []
  #isAlive = true
  #allowed = messagesPerSecond
  #allowedAt = performance.now()

  constructor({ socket, request, largest }: OpenLine) {
    this.#socket = socket
    this.#largest = largest
    this.request = request
    const ping = setInterval(() => {
      if (!this.#isAlive) return socket.terminate()
      this.#isAlive = false
      socket.ping()
    }, pingEveryMs)
    ping.unref()
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('close', () => {
      clearInterval(ping)
      for (const closer of this.#closers) closer()
    })
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  send(frame: string): boolean {
    if (!this.isOpen) return false
    if (this.#socket.bufferedAmount > mostWaitingBytes) return false
    this.#socket.send(frame)
    return true
  }

  onMessage(listener: (text: string) => Promise<void> | void): void {
    let last: Promise<void> = Promise.resolve()
    this.#socket.on('message', (data, isBinary) => {
      this.#isAlive = true
      if (isBinary) return this.close(closeCodes.policy, 'frames are text')
      if (!this.#mayTalk()) return this.close(closeCodes.policy, 'too many frames')
      const text = data.toString()
      if (text.length > this.#largest) return this.close(closeCodes.tooBig, 'the frame is too large')
      // One after another, as they came.
      last = last.then(() => listener(text)).catch(error => this.fail(error, () => undefined))
    })
  }

  onClose(listener: () => void): void {
    this.#closers.push(listener)
    if (this.#socket.readyState >= this.#socket.CLOSING) listener()
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason.slice(0, 120))
  }

  fail(error: unknown, log: (reason: string) => void): void {
    if (error instanceof Refusal) {
      this.close(4000 + error.status, `${error.number}`)
      return
    }
    log(`a line failed: ${reasonOf(error)}`)
    this.close(closeCodes.failed, 'the line failed')
  }

  #mayTalk(): boolean {
    const now = performance.now()
    this.#allowed = Math.min(messagesPerSecond, this.#allowed + ((now - this.#allowedAt) / 1000) * messagesPerSecond)
    this.#allowedAt = now
    this.#allowed -= 1
    return this.#allowed >= 0
  }
}
