import type { Fault } from '../rules.ts'

export const metricKinds = ['proportion', 'mean', 'ratio', 'quantile', 'retention'] as const
export type MetricKind = (typeof metricKinds)[number]
export const aggregations = ['count', 'sum', 'max'] as const
export type Aggregation = (typeof aggregations)[number]

export interface Measured {
  /** Name of the event. */
  event: string
  /** What is made of a unit's events: how many, or the sum or the largest of their values. */
  of: Aggregation
}

/** What is counted of each unit after it was first exposed. */
export interface MetricDefinition extends Measured {
  kind: MetricKind
  /** Of a ratio: what the sum is divided by. */
  denominator: Measured | null
  /** Of a quantile: which one, of the units that have the event at all. */
  quantile: number | null
  /** Hours after the first exposure from which events count. */
  fromHours: number
  /** Hours after the first exposure until which events count; null until the end. Units not so long in it are left out. */
  toHours: number | null
  /** No unit counts for more: a value, or the percentile of the units that have any. */
  cap: { by: 'value' | 'percentile'; at: number } | null
  direction: 'up' | 'down'
}

/** Whether the metric says of a unit only that it did something. */
export const isShare = ({ kind }: Pick<MetricDefinition, 'kind'>) => kind === 'proportion' || kind === 'retention'

/** What is wrong with a metric, beyond what its shape says. */
export function metricFaults(metric: MetricDefinition): Fault[] {
  const { kind, denominator, quantile, fromHours, toHours, cap, event } = metric
  const found: Fault[] = []
  const say = (pointer: string, message: string) => found.push({ pointer: `/definition/${pointer}`, message })
  if (event.startsWith('$exposure')) say('event', 'an exposure is what a metric is measured after; name another event')
  if (kind === 'ratio' && !denominator) say('denominator', 'a ratio needs what it is divided by')
  if (kind !== 'ratio' && denominator) say('denominator', `only a ratio is divided by something, a ${kind} is not`)
  if (kind === 'quantile' && quantile === null) say('quantile', 'say which quantile, 0.5 for the median')
  if (kind !== 'quantile' && quantile !== null) say('quantile', `a ${kind} has no quantile`)
  if (kind === 'retention' && toHours === null) say('toHours', 'say until when somebody has to be back, in hours')
  if (toHours !== null && toHours <= fromHours)
    say('toHours', `the window ends after ${toHours} hours, before it begins after ${fromHours}`)
  if (cap && (isShare(metric) || kind === 'quantile')) say('cap', `a ${kind} has no cap`)
  if (cap?.by === 'percentile' && (cap.at <= 50 || cap.at > 100))
    say('cap/at', `the percentile must be above 50 and at most 100, not ${cap.at}`)
  return found
}

/** The events that a metric is made from. */
export const eventsOf = ({ event, denominator }: MetricDefinition): string[] =>
  denominator ? [...new Set([event, denominator.event])] : [event]
