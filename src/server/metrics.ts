import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What `/metrics` shows, in the Prometheus text format. */
export class Metrics {
  readonly registry = new Registry()
  readonly calls = new Histogram({
    name: 'loggia_call_seconds',
    help: 'Time from the first byte of a call to its answer',
    labelNames: ['service', 'call', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [this.registry],
  })
  readonly jobs = new Counter({
    name: 'loggia_jobs_total',
    help: 'Jobs that ended, by kind and state',
    labelNames: ['kind', 'state'] as const,
    registers: [this.registry],
  })
  readonly events = new Counter({
    name: 'loggia_events_total',
    help: 'Events given to a listener, by outcome',
    labelNames: ['listener', 'outcome'] as const,
    registers: [this.registry],
  })
  readonly openTransactions = new Gauge({
    name: 'loggia_database_connections',
    help: 'Connections of the pools, by database and state',
    labelNames: ['database', 'state'] as const,
    registers: [this.registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'loggia_' })
  }
}
