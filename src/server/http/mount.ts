import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CallSpec, type Contract, zoneRuleOf } from '../../kernel/contract.ts'
import { commonErrors, Refusal } from '../../kernel/errors.ts'
import { headers } from '../../kernel/wire.ts'
import { Context } from '../context.ts'
import type { Gatekeeper } from '../gatekeeper.ts'
import { once } from '../idempotency.ts'
import type { Download, Implementation } from '../implement.ts'
import type { ProvenKey } from '../inside.ts'
import type { CallPlace } from '../place.ts'
import type { Server } from '../server.ts'
import { openAllowance } from './allowances.ts'
import { openJsonOfAnyType, openStreams, readForms, takesJsonOfAnyType, takesStream } from './bodies.ts'
import { type DirectCalls, directCall, type Serve } from './direct.ts'
import { admit, admitAnybody, admitKey } from './gate.ts'
import { insideCall, type Perform } from './inside-call.ts'
import { downloadSender, jsonSender, Wire } from './json-answer.ts'
import { type Measure, type Measured, measurer } from './measure.ts'
import { answerRefusal, causeOf } from './problem.ts'
import { callsPerMinute, rateClassOf, rateKey } from './rates.ts'
import { compileEnvelope } from './schemas.ts'
import { mountSocket, openSockets } from './sockets.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    isDownload?: boolean
    measure?: Measure
  }
}

type Admitted = Measured & { place?: CallPlace }

/** Puts every call of a contract on the server. */
export async function mount(
  app: FastifyInstance,
  server: Server,
  gatekeeper: Gatekeeper,
  one: Implementation,
  direct: DirectCalls,
): Promise<void> {
  const { contract } = one
  const calls = Object.values(contract.calls)
  if (calls.some(call => call.kind === 'standard')) readForms(app)
  if (calls.some(call => call.kind === 'socket')) await openSockets(app, one)
  const { refusal } = contract
  if (refusal) app.setErrorHandler((error, request, reply) => answerRefusal(refusal, error as Error, request, reply))
  const isProtocol = (call: CallSpec) => takesStream(call) && call.kind === 'protocol'
  const streams = calls.some(isProtocol) ? (await openStreams(app, 'protocols')).scope : app
  const uploads = calls.some(call => call.kind === 'upload') ? (await openStreams(app, 'uploads')).scope : app
  const jsonOfAnyType = calls.some(takesJsonOfAnyType) ? (await openJsonOfAnyType(app)).scope : app
  for (const [name, call] of Object.entries(contract.calls)) {
    const handler = one.handlers[name]
    if (!handler) throw new Error(`${contract.name} has no handler for ${name}`)
    const measure = measurer(server, contract.name, name)
    const perform = performer(server, contract, name, call, handler)
    const spend = spender(server, contract, call)
    const enter = (request: FastifyRequest) => admitted(server, gatekeeper, contract, call, request)
    const enterByKey = (request: FastifyRequest, key: ProvenKey) =>
      admitKey(server, gatekeeper, { contract, call, request, key })
    server.inside.add(insideCall({ server, contract, name, call, spend, enter, enterByKey, perform, measure }))
    if (call.kind === 'socket') {
      const onRequest = [limiter(spend), admission(call, enter)]
      mountSocket(app, server, { contract, call, onRequest, handler })
      continue
    }
    if (call.direct) {
      const serve = directCall({ server, contract, name, call, handler, spend, enter, measure })
      const [method, url] = [methodsOf(call, calls), contract.prefix + call.path]
      direct.add(url, method, serve)
      streams.route({ method, url, exposeHeadRoute: false, config: { isDownload: true }, handler: byway(serve) })
      continue
    }
    const answer = answerer(server, call, perform, measure)
    const isStream = takesStream(call)
    const forStream = call.kind === 'upload' ? uploads : streams
    const scope = isStream ? forStream : takesJsonOfAnyType(call) ? jsonOfAnyType : app
    scope.route({
      method: methodsOf(call, calls),
      url: contract.prefix + call.path,
      exposeHeadRoute: false,
      ...(isStream ? {} : { bodyLimit: call.bodyLimit ?? 1_048_576 }),
      schema: {
        ...(call.params ? { params: call.params } : {}),
        ...(call.query ? { querystring: call.query } : {}),
        ...(call.body && !isStream ? { body: call.body } : {}),
      },
      config: {
        // What speaks a protocol of its own has neither console nor session, either.
        isDownload: call.kind === 'download' || call.kind === 'protocol',
        measure,
      },
      onRequest: [limiter(spend), admission(call, enter)],
      handler: answer,
    })
  }
}

/** For a direct call that came through the framework. */
function byway(serve: Serve) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack()
    void serve(request.raw, reply.raw, request.params as Record<string, string>, request.id)
  }
}

/** GET is HEAD, too, unless another call is. */
function methodsOf(call: CallSpec, calls: readonly CallSpec[]): CallSpec['method'][] {
  const hasHead = calls.some(other => other.method === 'HEAD' && other.path === call.path)
  return call.method === 'GET' && !hasHead ? ['GET', 'HEAD'] : [call.method]
}

/** Counted before anything is looked up, so that a flood costs little; nothing to wait for either. */
function spender(server: Server, contract: Contract, call: CallSpec): (request: FastifyRequest) => Error | undefined {
  const rate = rateClassOf(call)
  const callerOf = rateKey(rate, server.config)
  const name = `${call.method} ${contract.prefix}${call.path}`
  const spend = openAllowance(server, name, callsPerMinute[rate] * server.config.rateFactor)
  return request => {
    const retryAfterSeconds = spend(callerOf(request))
    return retryAfterSeconds === 0 ? undefined : new Refusal(commonErrors.tooMany, { retryAfterSeconds })
  }
}

function limiter(spend: ReturnType<typeof spender>) {
  return (request: Admitted, _reply: FastifyReply, done: (error?: Error) => void) => {
    request.startedAt = performance.now()
    done(spend(request))
  }
}

function admitted(
  server: Server,
  gatekeeper: Gatekeeper,
  contract: Contract,
  call: CallSpec,
  request: FastifyRequest,
): CallPlace | Promise<CallPlace> {
  return call.who === 'anonymous'
    ? admitAnybody(server, contract, call, request)
    : admit(server, gatekeeper, contract, call, request)
}

function admission(call: CallSpec, enter: (request: FastifyRequest) => CallPlace | Promise<CallPlace>) {
  if (call.who !== 'anonymous') {
    return async (request: Admitted) => {
      request.place = await enter(request)
    }
  }
  return (request: Admitted, _reply: FastifyReply, done: (error?: Error) => void) => {
    try {
      request.place = enter(request) as CallPlace
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

function answerer(server: Server, call: CallSpec, perform: Perform, measure: Measure) {
  const envelope = compileEnvelope(call.answer)
  const isDownload = call.kind === 'download' || call.kind === 'standard' || call.kind === 'protocol'
  const sendJson = jsonSender(server.config, measure)
  const sendDownload = downloadSender(server.config, measure)
  return async (request: Admitted, reply: FastifyReply): Promise<FastifyReply> => {
    if (!request.place) throw new Error('the request was not admitted')
    const wire = new Wire(request, reply)
    const payload = await perform(request.place, request, wire)
    if (isDownload) return sendDownload(wire, payload as Download)
    return sendJson(wire, envelope(payload))
  }
}

/** Runs the handler for a request that was admitted and validated, once for its key, and commits. */
function performer(
  server: Server,
  contract: Contract,
  name: string,
  call: CallSpec,
  handler: Implementation['handlers'][string],
): Perform {
  const isStream = takesStream(call)
  const isKeyed = call.method === 'POST' && call.transaction !== false && !call.kind
  const database = (place: CallPlace) => (zoneRuleOf(contract, call) === 'home' ? 'home' : place.zone)
  // Not async itself: a promise of a promise is waited for three times.
  return (place, request, wire) => {
    const body = request.body as { revision?: unknown } | undefined
    if (place.revision === undefined && typeof body?.revision === 'number') place.revision = body.revision
    const { params, query, raw: stream } = request
    const input = isStream ? { params, query, body: {}, stream, request } : { params, query, body: body ?? {} }
    const key = isKeyed ? keyOf(request) : undefined
    const run = (ctx: Context) => handler(ctx, input as never, wire)
    return settle(server, place, call, ctx =>
      key === undefined
        ? run(ctx)
        : once(
            ctx,
            database(place),
            { key, call: `${contract.name}.${name}`, body: [request.params, request.query, body] },
            () => run(ctx),
          ),
    )
  }
}

const retriedCodes = new Set(['40001', '40P01'])

/** Runs the handler in its context and commits. A transaction that lost a deadlock is run again, at most twice. */
async function settle(server: Server, place: CallPlace, call: CallSpec, run: (ctx: Context) => Promise<unknown>) {
  for (let tries = 1; ; tries++) {
    const ctx = new Context(server, place)
    try {
      const payload = await run(ctx)
      const committing = ctx.commit()
      if (committing) await committing
      return payload
    } catch (error) {
      await ctx.rollback()
      const canRepeat = isReadWhole(call) && call.transaction !== false && tries < 3
      if (!canRepeat || !retriedCodes.has(causeOf(error as Error).code ?? '')) throw error
    }
  }
}

/** Nothing of the request is used up by running its handler. */
function isReadWhole(call: CallSpec): boolean {
  return call.kind === undefined || takesJsonOfAnyType(call)
}

function keyOf(request: FastifyRequest): string | undefined {
  const value = request.headers[headers.idempotencyKey] ?? request.headers[headers.idempotencyKeyAlias]
  return typeof value === 'string' ? value : undefined
}
