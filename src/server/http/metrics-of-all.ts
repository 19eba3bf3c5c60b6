import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Server } from '../server.ts'

const ownTopic = 'metrics of a process'
const allTopic = 'metrics of all processes'
const allMs = 3_000

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

interface Told {
  pid: number
  metrics: Metrics
}

/**
 * The metrics of the processes that share the port, together: the first one gathers them. What one that ended had counted,
 * as it was told last, stays in the sums, or they would fall.
 *
 * @returns what gives them in the Prometheus text format
 */
export function serveMetrics(server: Server): () => Promise<string> {
  const { siblings } = server
  const told = new Map<number, Metrics>()
  let ended: Promise<Metrics> = Promise.resolve([])
  const gather = async () => {
    const others = await siblings.ask<Told>(ownTopic, null)
    for (const { pid, metrics } of others) told.set(pid, metrics)
    const there = new Set(others.map(one => one.pid))
    for (const [pid, metrics] of told) {
      if (there.has(pid) || isThere(pid)) continue
      told.delete(pid)
      ended = added(ended, metrics.filter(isCounted))
    }
    const all = [await metricsOf(server), ...told.values(), await ended].filter(one => one.length > 0)
    // Of what says nothing of several processes together, such as when one began, one alone still tells.
    return all.length === 1 ? server.metrics.registry.metrics() : sumOf(all).metrics()
  }
  siblings.answer(ownTopic, async (): Promise<Told> => ({ pid: process.pid, metrics: await metricsOf(server) }))
  siblings.answer(allTopic, gather)
  return async () =>
    (siblings.place.at > 0 ? await siblings.askFirst<string>(allTopic, null, allMs) : undefined) ?? gather()
}

const sumOf = (all: readonly Metrics[]): Registry => AggregatorRegistry.aggregate([...all])

const added = async (sum: Promise<Metrics>, more: Metrics): Promise<Metrics> =>
  sumOf([await sum, more]).getMetricsAsJSON()

const isCounted = ({ type }: Metrics[number]) => String(type) === 'counter' || String(type) === 'histogram'

/** One that is there and did not answer in time counts as it was told last. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
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
