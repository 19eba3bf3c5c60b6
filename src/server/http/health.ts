import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Server } from '../server.ts'

const metricsTopic = 'metrics'
type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/**
 * `/health`: the process answers. `/ready`: its databases answer too. `/metrics`: Prometheus text, of all processes
 * that share the port together, to callers on this machine only, unless a proxy is trusted to keep others out.
 */
export function serveHealth(app: FastifyInstance, server: Server): void {
  server.siblings.answer(metricsTopic, () => metricsOf(server))
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
  app.get('/metrics', async (request, reply) => {
    const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
    if (!isLocal) return reply.callNotFound()
    const { registry } = server.metrics
    const others = await server.siblings.ask<Metrics>(metricsTopic, null)
    const own = await metricsOf(server)
    // Of what says nothing of several processes together, such as when one began, one alone still tells.
    const all = others.length > 0 ? AggregatorRegistry.aggregate([own, ...others]) : registry
    return reply.type(all.contentType).send(await all.metrics())
  })
}

function metricsOf({ metrics, pools }: Server): Promise<Metrics> {
  for (const name of pools.names) {
    const pool = pools.of(name)
    metrics.openTransactions.set({ database: name, state: 'open' }, pool.totalCount)
    metrics.openTransactions.set({ database: name, state: 'idle' }, pool.idleCount)
    metrics.openTransactions.set({ database: name, state: 'waiting' }, pool.waitingCount)
  }
  return metrics.registry.getMetricsAsJSON()
}
