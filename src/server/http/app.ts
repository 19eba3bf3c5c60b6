import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { commonErrors, Refusal, refuse } from '../../kernel/errors.ts'
import { headers } from '../../kernel/wire.ts'
import { zoneOfSlug } from '../../kernel/zones.ts'
import type { Gatekeeper } from '../gatekeeper.ts'
import type { Implementation } from '../implement.ts'
import type { Log } from '../log.ts'
import type { Server } from '../server.ts'
import { serveConsole } from './console-files.ts'
import { DirectCalls } from './direct.ts'
import { serveHealth } from './health.ts'
import { hostsOf, refuseSecondHost, takeHost } from './hosts.ts'
import { parseJson } from './json-body.ts'
import { mount } from './mount.ts'
import { serveOpenApi } from './openapi-routes.ts'
import { answerProblem } from './problem.ts'
import { compileValidator } from './schemas.ts'
import { answerHeadersOf } from './security-headers.ts'

/** Builds the HTTP server with every call mounted; nothing listens yet. */
export async function buildApp(
  server: Server,
  gatekeeper: Gatekeeper,
  implementations: readonly Implementation[],
): Promise<FastifyInstance> {
  const hosts = hostsOf(server.config)
  const newId = requestIds()
  const rewrite = (request: IncomingMessage) => takeHost(request, hosts) ?? takeZone(request)
  const app = Fastify({
    loggerInstance: withoutChildren(server.log) as never,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: server.config.trustProxy,
    bodyLimit: 1_048_576,
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    genReqId: newId,
    rewriteUrl: rewrite,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 300 },
    http: { headersTimeout: 20_000, maxHeaderSize: 16_384 },
  } as never) as unknown as FastifyInstance
  app.setValidatorCompiler(compileValidator as never)
  app.setErrorHandler(answerProblem as never)
  app.setNotFoundHandler(() => refuse(commonErrors.noSuchCall))
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson)
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(new Refusal(commonErrors.wrongType, { expected: 'content-type application/json' }) as never)
  })
  const filesHost = server.config.filesUrl ? new URL(server.config.filesUrl).host : undefined
  const answerHeaders = Object.entries(answerHeadersOf(server.config))
  app.addHook('onRequest', (request, _reply, done) => {
    // On the host for downloads nothing else answers: what people uploaded meets neither console nor session there.
    if (filesHost !== undefined && request.headers.host === filesHost && !isDownload(request)) {
      done(new Refusal(commonErrors.noSuchCall) as never)
      return
    }
    done(refuseSecondHost(request.raw))
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    request.routeOptions.config.measure?.(request, reply.statusCode)
    reply.header(headers.requestId, request.id)
    for (const [name, value] of answerHeaders) if (!reply.hasHeader(name)) reply.header(name, value)
    done(null, payload)
  })
  await app.register(cookie, { hook: false })
  serveHealth(app, server)
  serveOpenApi(
    app,
    implementations.map(one => one.contract),
  )
  const direct = new DirectCalls()
  for (const one of implementations) {
    await app.register(async scope => mount(scope, server, gatekeeper, one, direct))
  }
  await serveConsole(app, server.config)
  direct.listen(app.server, { rewrite, newId })
  app.addHook('preClose', async () => direct.close())
  return app
}

/** A logger a request costs more than naming the request where something is logged; so each request gets this one. */
function withoutChildren(log: Log): Log {
  const one: Log = Object.create(log, { child: { value: () => one } })
  return one
}

function isDownload(request: FastifyRequest): boolean {
  return request.routeOptions.config.isDownload === true
}

/** Unlike any of another process or start, and cheap: a random beginning and a count. */
function requestIds(): () => string {
  const beginning = randomUUID().slice(0, 13)
  let made = 0
  return () => `${beginning}-${(++made).toString(36)}`
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
