import type { FastifyInstance } from 'fastify'
import type { Server } from '../server.ts'

/**
 * `/health`: the process answers. `/ready`: its databases answer too. `/metrics`: Prometheus text, to callers on this
 * machine only, unless a proxy is trusted to keep others out.
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
  app.get('/metrics', async (request, reply) => {
    const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
    if (!isLocal) return reply.callNotFound()
    for (const name of server.pools.names) {
      const pool = server.pools.of(name)
      server.metrics.openTransactions.set({ database: name, state: 'open' }, pool.totalCount)
      server.metrics.openTransactions.set({ database: name, state: 'idle' }, pool.idleCount)
      server.metrics.openTransactions.set({ database: name, state: 'waiting' }, pool.waitingCount)
    }
    return reply.type(server.metrics.registry.contentType).send(await server.metrics.registry.metrics())
  })
}
