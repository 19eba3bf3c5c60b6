import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { commonErrors, Refusal, refuse } from '../../kernel/errors.ts'
import { headers } from '../../kernel/wire.ts'
import { zoneOfSlug } from '../../kernel/zones.ts'
import type { Gatekeeper } from '../gatekeeper.ts'
import type { Implementation } from '../implement.ts'
import type { Server } from '../server.ts'
import { serveConsole } from './console-files.ts'
import { serveHealth } from './health.ts'
import { parseJson } from './json-body.ts'
import { mount } from './mount.ts'
import { serveOpenApi } from './openapi-routes.ts'
import { answerProblem } from './problem.ts'
import { compileValidator } from './schemas.ts'

/** Builds the HTTP server with every call mounted; nothing listens yet. */
export async function buildApp(
  server: Server,
  gatekeeper: Gatekeeper,
  implementations: readonly Implementation[],
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: server.log as never,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: server.config.trustProxy,
    bodyLimit: 1_048_576,
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    rewriteUrl: (request: IncomingMessage) => takeZone(request),
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 300 },
    http: { headersTimeout: 20_000, maxHeaderSize: 16_384 },
  } as never) as unknown as FastifyInstance
  app.setValidatorCompiler(compileValidator as never)
  app.setErrorHandler(answerProblem as never)
  app.setNotFoundHandler(() => refuse(commonErrors.noSuchCall))
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson)
  app.addContentTypeParser('*', (request, _payload, done) => {
    const isUpload = (request.routeOptions.config as { isUpload?: boolean }).isUpload
    if (isUpload) done(null)
    else done(new Refusal(commonErrors.wrongType, { expected: 'content-type application/json' }) as never)
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header(headers.requestId, request.id)
    if (countHeader(request.raw.rawHeaders, 'host') > 1) refuse(commonErrors.badInput, { fields: [] })
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, id } = request
    server.log.debug({
      requestId: id,
      method,
      path: url.split('?')[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
  })
  await app.register(cookie)
  await app.register(helmet, securityHeaders(server))
  await app.register(rateLimit, {
    global: false,
    hook: 'onRequest',
    errorResponseBuilder: (_request, context) =>
      new Refusal(commonErrors.tooMany, { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
  })
  serveHealth(app, server)
  serveOpenApi(
    app,
    implementations.map(one => one.contract),
  )
  for (const one of implementations) {
    await app.register(async scope => mount(scope, server, gatekeeper, one))
  }
  await serveConsole(app)
  return app
}

/** `/de/amis/...` is `/amis/...` in the zone DE. The zone travels on the raw request. */
function takeZone(request: { url?: string; zone?: string }): string {
  const url = request.url ?? '/'
  if (url[3] !== '/') return url
  const zone = zoneOfSlug(url.slice(1, 3))
  // `/ru/` alone is a page language, not a zone.
  if (zone === undefined || url.length === 4 || url[4] === '?') return url
  request.zone = zone
  return url.slice(3)
}

function countHeader(raw: readonly string[], name: string): number {
  let found = 0
  for (let at = 0; at < raw.length; at += 2) {
    const header = raw[at] as string
    if (header.length === name.length && header.toLowerCase() === name) found++
  }
  return found
}

function securityHeaders(server: Server) {
  const self = ["'self'"]
  return {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: self,
        styleSrc: self,
        imgSrc: [...self, 'data:', 'blob:'],
        fontSrc: self,
        connectSrc: self,
        workerSrc: self,
        manifestSrc: self,
        baseUri: ["'none'"],
        formAction: self,
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: server.config.publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    xFrameOptions: { action: 'deny' as const },
  }
}
