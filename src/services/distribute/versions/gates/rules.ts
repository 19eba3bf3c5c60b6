/** The last is known to tools of other stores; people cannot rate apps here, so nothing could be watched. */
export const gateMetrics = ['crashRate', 'anr', 'uninstallRate', 'installFailRate', 'ratingAvg'] as const
export const watchedMetrics = ['crashRate', 'anr', 'uninstallRate', 'installFailRate'] as const
export const gateOps = ['>', '>=', '<', '<='] as const
/** Those that make sense of a rate, which is bad when it is high. */
export const rateOps = ['>', '>='] as const
export const gateActions = ['PAUSE', 'ROLLBACK'] as const
export type GateMetric = (typeof gateMetrics)[number]
export type WatchedMetric = (typeof watchedMetrics)[number]

/** Acts when a rate of the version crosses its limit, once so many devices have reported. */
export interface Gate {
  metric: GateMetric
  op: (typeof gateOps)[number]
  /** Percent, at most two decimals. */
  value: number
  minUsers: number
  action: (typeof gateActions)[number]
}

export const gateLimits = { gates: 5, minUsersLeast: 10, minUsersMost: 10_000_000 } as const

/** Devices, each counted once for a version while its phased release goes on. */
export interface HealthCounts {
  /** Ran it, as far as they told. */
  users: number
  /** Tried to install it. */
  tried: number
  failed: number
  uninstalled: number
  crashed: number
  frozen: number
}

export const noHealth: HealthCounts = { users: 0, tried: 0, failed: 0, uninstalled: 0, crashed: 0, frozen: 0 }

/** Which devices of which. */
const partsOf: Readonly<Record<WatchedMetric, readonly [part: keyof HealthCounts, whole: keyof HealthCounts]>> = {
  crashRate: ['crashed', 'users'],
  anr: ['frozen', 'users'],
  uninstallRate: ['uninstalled', 'users'],
  installFailRate: ['failed', 'tried'],
}

export interface Reading {
  /** Percent with two decimals, as it is shown and compared; null while no device has reported. */
  value: number | null
  devices: number
}

/** A rate of the devices that reported. */
export function readingOf(metric: WatchedMetric, counts: HealthCounts): Reading {
  const [part, whole] = partsOf[metric]
  const devices = counts[whole]
  // A device may tell of a crash of a copy that it had before counting began.
  const value = devices === 0 ? null : Math.min(100, Math.round((counts[part] * 10_000) / devices) / 100)
  return { value, devices }
}

/** What was counted after `before`. */
export function countedSince(counts: HealthCounts, before: HealthCounts | null): HealthCounts {
  if (!before) return counts
  const since = { ...noHealth }
  for (const key of Object.keys(since) as (keyof HealthCounts)[]) since[key] = Math.max(0, counts[key] - before[key])
  return since
}

export interface Trip {
  metric: GateMetric
  op: Gate['op']
  limit: number
  /** What was seen. */
  value: number
  devices: number
  action: Gate['action']
}

/** The gate that acts, with what it saw; of several the one that rolls back. */
export function tripOf(gates: readonly Gate[], counts: HealthCounts): Trip | null {
  const trips = gates.flatMap(gate => {
    if (!isWatched(gate.metric)) return []
    const { value, devices } = readingOf(gate.metric, counts)
    if (value === null || devices < gate.minUsers || !isCrossed(gate, value)) return []
    const { metric, op, value: limit, action } = gate
    return [{ metric, op, limit, value, devices, action }]
  })
  return trips.find(one => one.action === 'ROLLBACK') ?? trips[0] ?? null
}

const isCrossed = ({ op, value: limit }: Gate, value: number) => (op === '>=' ? value >= limit : value > limit)
export const isWatched = (metric: GateMetric): metric is WatchedMetric => metric !== 'ratingAvg'

export const gateFaults = ['noRatings', 'direction', 'decimals', 'never', 'always', 'twice', 'order'] as const
export interface GateFault {
  at: number
  field: 'metric' | 'op' | 'value'
  rule: (typeof gateFaults)[number]
}

/** The first thing about a list of gates that makes no sense, or null. */
export function faultOf(gates: readonly Gate[]): GateFault | null {
  for (const [at, gate] of gates.entries()) {
    const { metric, op, value, action } = gate
    if (!isWatched(metric)) return { at, field: 'metric', rule: 'noRatings' }
    if (op !== '>' && op !== '>=') return { at, field: 'op', rule: 'direction' }
    if (Math.abs(value * 100 - Math.round(value * 100)) > 1e-6) return { at, field: 'value', rule: 'decimals' }
    if (op === '>' && value >= 100) return { at, field: 'value', rule: 'never' }
    if (op === '>=' && value <= 0) return { at, field: 'value', rule: 'always' }
    const before = gates.slice(0, at).filter(one => one.metric === metric)
    if (before.some(one => one.action === action)) return { at, field: 'metric', rule: 'twice' }
    const [other] = before
    if (other && isUnreachable(gate, other)) return { at, field: 'value', rule: 'order' }
  }
  return null
}

/** Whether of two gates of one metric the pause could never come, because the rollback comes first. */
function isUnreachable(one: Gate, other: Gate): boolean {
  const [pause, back] = one.action === 'PAUSE' ? [one, other] : [other, one]
  return back.value <= pause.value && back.minUsers <= pause.minUsers
}
