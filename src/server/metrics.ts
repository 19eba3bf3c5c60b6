import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { CallTimes } from './call-times.ts'

/** What `/metrics` shows, in the Prometheus text format. */
export class Metrics {
  readonly registry = new Registry()
  readonly calls = new CallTimes()
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
  /** One each, so that the sum of those that share the port is their number. */
  readonly processes = new Gauge({
    name: 'loggia_processes',
    help: 'Server processes of this machine that serve the port',
    registers: [this.registry],
  })
  readonly openTransactions = new Gauge({
    name: 'loggia_database_connections',
    help: 'Connections of the pools, by database and state',
    labelNames: ['database', 'state'] as const,
    registers: [this.registry],
  })

  constructor() {
    this.registry.registerMetric(this.calls as unknown as Metric)
    this.processes.set(1)
    collectDefaultMetrics({ register: this.registry, prefix: 'loggia_' })
  }
}
