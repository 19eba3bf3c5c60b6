import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import type { Server } from '../server.ts'
import { serveMetrics } from './metrics-of-all.ts'

/**
 * `/health`: the process answers. `/ready`: its databases answer too. `/metrics`: Prometheus text, of all processes
 * that share the port together, to callers on this machine only, unless a proxy is trusted to keep others out.
 */
export function serveHealth(app: FastifyInstance, server: Server): void {
  app.get('/health', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/ready', async (_request, reply) => {
    const databases: Record<string, boolean> = {}
    await Promise.all(
      server.pools.names.map(async name => {
        databases[name] = await server.pools
          .of(name)
          .query('SELECT 1')
          .then(() => true)
          .catch(() => false)
      }),
    )
    const isReady = Object.values(databases).every(Boolean)
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'waiting', databases })
  })
  const ofAll = serveMetrics(server)
  app.get('/metrics', async (request, reply) => {
    const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
    if (!isLocal) return reply.callNotFound()
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await ofAll())
  })
}
