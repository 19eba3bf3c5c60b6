import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CallSpec, type Contract, zoneRuleOf } from '../../kernel/contract.ts'
import { commonErrors, Refusal } from '../../kernel/errors.ts'
import { headers } from '../../kernel/wire.ts'
import { Context } from '../context.ts'
import type { Gatekeeper } from '../gatekeeper.ts'
import { once } from '../idempotency.ts'
import type { Download, Implementation } from '../implement.ts'
import type { CallPlace } from '../place.ts'
import type { Server } from '../server.ts'
import { Allowance } from './allowance.ts'
import { admit, admitAnybody } from './gate.ts'
import { insideCall, type Perform } from './inside-call.ts'
import { jsonSender, Wire } from './json-answer.ts'
import { type Measure, type Measured, measurer } from './measure.ts'
import { causeOf } from './problem.ts'
import { callsPerMinute, rateClassOf, rateKey } from './rates.ts'
import { compileEnvelope } from './schemas.ts'

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
): Promise<void> {
  const { contract } = one
  if (Object.values(contract.calls).some(call => call.kind === 'standard')) readForms(app)
  const hasUploads = Object.values(contract.calls).some(call => call.kind === 'upload')
  const uploads = hasUploads ? (await openUploads(app)).scope : app
  for (const [name, call] of Object.entries(contract.calls)) {
    const handler = one.handlers[name]
    if (!handler) throw new Error(`${contract.name} has no handler for ${name}`)
    const measure = measurer(server, contract.name, name)
    const perform = performer(server, contract, name, call, handler)
    const answer = answerer(server, call, perform, measure)
    const spend = spender(server, call)
    const enter = (request: FastifyRequest) => admitted(server, gatekeeper, contract, call, request)
    server.inside.add(insideCall({ server, contract, name, call, spend, enter, perform, measure }))
    const isUpload = call.kind === 'upload'
    const scope = isUpload ? uploads : app
    scope.route({
      method: call.method === 'GET' ? ['GET', 'HEAD'] : call.method,
      url: contract.prefix + call.path,
      exposeHeadRoute: false,
      ...(isUpload ? {} : { bodyLimit: call.bodyLimit ?? 1_048_576 }),
      schema: {
        ...(call.params ? { params: call.params } : {}),
        ...(call.query ? { querystring: call.query } : {}),
        ...(call.body && !isUpload ? { body: call.body } : {}),
      },
      config: {
        isDownload: call.kind === 'download',
        measure,
      },
      onRequest: [limiter(spend), admission(call, enter)],
      handler: answer,
    })
  }
}

/** Forms as standards send them; a name that comes twice is a list, for its handler to refuse. */
function readForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    const read: Record<string, string | string[]> = Object.create(null)
    for (const [name, value] of new URLSearchParams(body as string)) {
      const before = read[name]
      read[name] = before === undefined ? value : [before, value].flat()
    }
    done(null, read)
  })
}

/** Counted before anything is looked up, so that a flood costs little; nothing to wait for either. */
function spender(server: Server, call: CallSpec): (request: FastifyRequest) => Error | undefined {
  const rate = rateClassOf(call)
  const callerOf = rateKey(rate, server.config)
  const allowance = new Allowance(callsPerMinute[rate] * server.config.rateFactor)
  return request => {
    const retryAfterSeconds = allowance.spend(callerOf(request), server.clock.now())
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

/**
 * Where a body of whatever type is left to the handler as a stream, or as a form of streams. The scope comes in an
 * object: by itself it is a thenable, and `await` would give the application instead.
 */
async function openUploads(app: FastifyInstance): Promise<{ scope: FastifyInstance }> {
  const opened = { scope: app }
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    // A sender that is still sending would see a broken connection instead of the refusal.
    scope.addHook('onError', async ({ raw }) => {
      raw.unpipe()
      raw.resume()
    })
    await scope.register(multipart)
    opened.scope = scope
  })
  return opened
}

function answerer(server: Server, call: CallSpec, perform: Perform, measure: Measure) {
  const envelope = compileEnvelope(call.answer)
  const isDownload = call.kind === 'download' || call.kind === 'standard'
  const sendJson = jsonSender(server.config, measure)
  return async (request: Admitted, reply: FastifyReply): Promise<FastifyReply> => {
    if (!request.place) throw new Error('the request was not admitted')
    const wire = new Wire(request, reply)
    const payload = await perform(request.place, request, wire)
    if (isDownload) return sendDownload(reply, payload as Download)
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
  const database = (place: CallPlace) => (zoneRuleOf(contract, call) === 'home' ? 'home' : place.zone)
  return async (place, request, wire) => {
    const body = request.body as { revision?: unknown } | undefined
    if (place.revision === undefined && typeof body?.revision === 'number') place.revision = body.revision
    const input = {
      params: request.params,
      query: request.query,
      body: body ?? {},
      ...(call.kind === 'upload' ? { stream: request.raw, request } : {}),
    }
    const key = call.method === 'POST' ? keyOf(request) : undefined
    const run = (ctx: Context) => handler(ctx, input as never, wire)
    return settle(server, place, call, ctx =>
      key === undefined || call.transaction === false || call.kind
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
      await ctx.commit()
      return payload
    } catch (error) {
      await ctx.rollback()
      const canRepeat = call.kind === undefined && call.transaction !== false && tries < 3
      if (!canRepeat || !retriedCodes.has(causeOf(error as Error).code ?? '')) throw error
    }
  }
}

function keyOf(request: FastifyRequest): string | undefined {
  const value = request.headers[headers.idempotencyKey] ?? request.headers[headers.idempotencyKeyAlias]
  return typeof value === 'string' ? value : undefined
}

function sendDownload(reply: FastifyReply, download: Download): FastifyReply {
  reply.code(download.status ?? 200)
  for (const [name, value] of Object.entries(download.headers)) reply.header(name, value)
  return reply.send(download.body)
}
