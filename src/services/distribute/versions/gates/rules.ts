export const gateMetrics = ['crashRate', 'anr', 'uninstallRate', 'installFailRate', 'ratingAvg'] as const
export const gateOps = ['>', '>=', '<', '<='] as const
export const gateActions = ['PAUSE', 'ROLLBACK'] as const
export type GateMetric = (typeof gateMetrics)[number]

/** A rate is bad when it is high, an average of stars when it is low. */
export function isOfStars(metric: GateMetric): metric is 'ratingAvg' {
  return metric === 'ratingAvg'
}

/** The comparisons that make sense of a metric. */
export function opsOf(metric: GateMetric): readonly Gate['op'][] {
  return isOfStars(metric) ? ['<', '<='] : ['>', '>=']
}

/** Acts when a metric of the version crosses its limit, once so many devices have reported. */
export interface Gate {
  metric: GateMetric
  op: (typeof gateOps)[number]
  /** Percent, or stars of `ratingAvg`, at most two decimals. */
  value: number
  minUsers: number
  action: (typeof gateActions)[number]
}

export const gateLimits = {
  gates: 5,
  minUsersLeast: 10,
  minUsersMost: 10_000_000,
  starsLeast: 1,
  starsMost: 5,
} as const

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
  rated: number
  /** Of all that rated, together. */
  stars: number
}

export const noHealth: HealthCounts = {
  users: 0,
  tried: 0,
  failed: 0,
  uninstalled: 0,
  crashed: 0,
  frozen: 0,
  rated: 0,
  stars: 0,
}

/** What was told, also before devices could rate. */
export const countsOf = (told: Partial<HealthCounts> | null | undefined): HealthCounts => ({ ...noHealth, ...told })

/** What was told of some devices and of others, together. */
export function addedCounts(one: HealthCounts, other: HealthCounts): HealthCounts {
  const sum = { ...one }
  for (const key of Object.keys(noHealth) as (keyof HealthCounts)[]) sum[key] += other[key]
  return sum
}

/** Which devices of which, or their stars. */
const partsOf: Readonly<Record<GateMetric, readonly [part: keyof HealthCounts, whole: keyof HealthCounts]>> = {
  crashRate: ['crashed', 'users'],
  anr: ['frozen', 'users'],
  uninstallRate: ['uninstalled', 'users'],
  installFailRate: ['failed', 'tried'],
  ratingAvg: ['stars', 'rated'],
}

export interface Reading {
  /** Percent or stars with two decimals, as it is shown and compared; null while no device has reported. */
  value: number | null
  devices: number
}

/** A rate of the devices that reported, or what those that rated gave on average. */
export function readingOf(metric: GateMetric, counts: HealthCounts): Reading {
  const [part, whole] = partsOf[metric]
  const devices = counts[whole]
  if (devices === 0) return { value: null, devices }
  if (isOfStars(metric)) return { value: Math.round((counts[part] * 100) / devices) / 100, devices }
  // A device may tell of a crash of a copy that it had before counting began.
  return { value: Math.min(100, Math.round((counts[part] * 10_000) / devices) / 100), devices }
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
    const { value, devices } = readingOf(gate.metric, counts)
    if (value === null || devices < gate.minUsers || !isCrossed(gate, value)) return []
    const { metric, op, value: limit, action } = gate
    return [{ metric, op, limit, value, devices, action }]
  })
  return trips.find(one => one.action === 'ROLLBACK') ?? trips[0] ?? null
}

const crosses: Readonly<Record<Gate['op'], (value: number, limit: number) => boolean>> = {
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
}
const isCrossed = ({ op, value: limit }: Gate, value: number) => crosses[op](value, limit)

export const gateFaults = ['direction', 'decimals', 'stars', 'never', 'always', 'twice', 'order'] as const
export interface GateFault {
  at: number
  field: 'metric' | 'op' | 'value'
  rule: (typeof gateFaults)[number]
}

/** The first thing about a list of gates that makes no sense, or null. */
export function faultOf(gates: readonly Gate[]): GateFault | null {
  for (const [at, gate] of gates.entries()) {
    const { metric, op, action } = gate
    if (!opsOf(metric).includes(op)) return { at, field: 'op', rule: 'direction' }
    const rule = limitFaultOf(gate)
    if (rule) return { at, field: 'value', rule }
    const before = gates.slice(0, at).filter(one => one.metric === metric)
    if (before.some(one => one.action === action)) return { at, field: 'metric', rule: 'twice' }
    const [other] = before
    if (other && isUnreachable(gate, other)) return { at, field: 'value', rule: 'order' }
  }
  return null
}

function limitFaultOf({ metric, op, value }: Gate): GateFault['rule'] | null {
  if (Math.abs(value * 100 - Math.round(value * 100)) > 1e-6) return 'decimals'
  const { starsLeast, starsMost } = gateLimits
  if (isOfStars(metric)) {
    if (value < starsLeast || value > starsMost) return 'stars'
    if (op === '<' && value <= starsLeast) return 'never'
    return op === '<=' && value >= starsMost ? 'always' : null
  }
  if (op === '>' && value >= 100) return 'never'
  return op === '>=' && value <= 0 ? 'always' : null
}

/** Whether of two gates of one metric the pause could never come, because the rollback comes first. */
function isUnreachable(one: Gate, other: Gate): boolean {
  const [pause, back] = one.action === 'PAUSE' ? [one, other] : [other, one]
  const isFirst = isOfStars(one.metric) ? back.value >= pause.value : back.value <= pause.value
  return isFirst && back.minUsers <= pause.minUsers
}
