import type { FastifyRequest } from 'fastify'
import type { CallSeries } from '../call-times.ts'
import type { Server } from '../server.ts'

export type Measured = FastifyRequest & { startedAt?: number }
/** Told once of each answer, when its head goes out. */
export type Measure = (request: Measured, status: number) => void

/**
 * Counts the time from the first look at a call to the head of its answer; the metric of each status is looked up once.
 * A hook at the end of a response would cost each call two listeners.
 */
export function measurer(server: Server, service: string, call: string): Measure {
  const byStatus = new Map<number, CallSeries>()
  return (request, status) => {
    let series = byStatus.get(status)
    if (!series) {
      series = server.metrics.calls.seriesOf({ service, call, status })
      byStatus.set(status, series)
    }
    const ms = request.startedAt === undefined ? 0 : performance.now() - request.startedAt
    series.observe(ms / 1000)
    if (server.log.isLevelEnabled('debug')) {
      const { id, method } = request
      server.log.debug({ requestId: id, method, path: request.routeOptions.url, status, ms })
    }
  }
}
