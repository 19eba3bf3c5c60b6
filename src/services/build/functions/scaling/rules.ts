import { Cron } from 'croner'

export const egressModes = ['ALL', 'DENY', 'ALLOWLIST'] as const
export const logLevels = ['debug', 'info', 'warn', 'error', 'none'] as const
export const metrics = ['Concurrency', 'Cpu', 'Qps'] as const

export const scalingLimits = {
  rules: 20,
  minInstances: 20,
  maxInstances: 200,
  /** Calls that may run at once in a project, and the part of them that minimums may reserve. */
  projectConcurrency: 100,
  reservedPercent: 90,
  cidrs: 50,
  hosts: 50,
  holdMinutes: 7 * 24 * 60,
} as const

export interface Egress {
  mode: (typeof egressModes)[number]
  /** For `ALLOWLIST`: networks that the address itself must lie in. */
  cidrs: string[]
  /** For `ALLOWLIST`: names as the code writes them; `*.example.org` is every name below it. */
  hosts: string[]
}

export interface ManagerConfig {
  minInstances: number
  maxInstances: number
  idleTimeoutSec: number
  logLevel: (typeof logLevels)[number]
  egress: Egress
}

export const defaultManager: ManagerConfig = {
  minInstances: 0,
  maxInstances: 20,
  idleTimeoutSec: 60,
  logLevel: 'debug',
  egress: { mode: 'ALL', cidrs: [], hosts: [] },
}

/** A floor from each time that the cron names, for so long. */
export interface CronRule {
  cron: string
  timezone: string
  holdMinutes: number
  count: number
  startTime?: number
  expiredTime?: number
}

/** So many copies that each has about `threshold` of the metric: calls at once, percent of a processor, calls a second. */
export interface MetricRule {
  metric: (typeof metrics)[number]
  threshold: number
  min: number
  max: number
}

/** Why a cron rule cannot be; null when it can. */
export function cronProblem({ cron, timezone, startTime, expiredTime }: CronRule): string | null {
  if (!/^\S+( \S+){4}$/.test(cron.trim())) return 'five fields: minute, hour, day, month, day of the week'
  if (startTime !== undefined && expiredTime !== undefined && startTime >= expiredTime)
    return 'it ends before it starts'
  try {
    return new Cron(cron, { timezone, paused: true }).nextRun() === null ? 'it never comes' : null
  } catch (error) {
    return (error as Error).message.slice(0, 200)
  }
}

/** How many copies the rule asks for at a time. */
export function floorOf(rule: CronRule, now: number): number {
  if (now < (rule.startTime ?? 0) || now >= (rule.expiredTime ?? Number.POSITIVE_INFINITY)) return 0
  const [last] = clockOf(rule).previousRuns(1, new Date(now + 1))
  return last && now - last.getTime() < rule.holdMinutes * 60_000 ? rule.count : 0
}

/** When floors begin and end within a time, for a picture. */
export function floorsBetween(
  rule: CronRule,
  from: number,
  until: number,
): { from: number; until: number; count: number }[] {
  const holdMs = rule.holdMinutes * 60_000
  const cron = clockOf(rule)
  const before = cron.previousRuns(1, new Date(from + 1))
  const within = cron.nextRuns(200, new Date(from))
  return [...before, ...within].flatMap(one => {
    const begins = Math.max(one.getTime(), from, rule.startTime ?? 0)
    const ends = Math.min(one.getTime() + holdMs, until, rule.expiredTime ?? until)
    return begins < ends ? [{ from: begins, until: ends, count: rule.count }] : []
  })
}

const clocks = new Map<string, Cron>()

function clockOf({ cron, timezone }: CronRule): Cron {
  const key = `${cron} ${timezone}`
  const known = clocks.get(key)
  if (known) return known
  if (clocks.size > 1000) clocks.clear()
  const made = new Cron(cron, { timezone, paused: true })
  clocks.set(key, made)
  return made
}

/** What is measured of the copies of a version, over a minute and over the last six seconds. */
export interface Load {
  /** Calls that ran or waited, on average. */
  concurrency: number
  concurrencyNow: number
  callsPerSecond: number
  /** Percent of one processor, all copies together. */
  cpuPercent: number
  /** Copies that are there. */
  instances: number
}

/** Knative's published constants: copies are filled to 70 of 100; twice what they hold within six seconds is a rush. */
const targetUse = 0.7
const rushFactor = 2

/** How many copies the calls of the last minute ask for, and whether they came in a rush. */
export function desiredInstances(load: Load, concurrency: number): { wanted: number; isRush: boolean } {
  const perCopy = concurrency * targetUse
  const steady = Math.ceil(load.concurrency / perCopy)
  const rushed = Math.ceil(load.concurrencyNow / perCopy)
  const isRush = load.instances > 0 && rushed >= rushFactor * load.instances
  return { wanted: isRush ? Math.max(steady, rushed) : steady, isRush }
}

/** How many copies a metric rule asks for. */
export function metricInstances({ metric, threshold, min, max }: MetricRule, load: Load): number {
  const measured = { Concurrency: load.concurrency, Cpu: load.cpuPercent, Qps: load.callsPerSecond }[metric]
  return Math.min(max, Math.max(min, Math.ceil(measured / threshold)))
}

/** What one version is held to: that of its own number and of each alias that leads to it, together. */
export interface Sizing {
  minInstances: number
  maxInstances: number
  idleMs: number
  logLevel: ManagerConfig['logLevel']
  /** All of them must let a connection out. */
  egress: readonly Egress[]
  crons: readonly CronRule[]
  metrics: readonly MetricRule[]
}

/** @param configs of the version and of the aliases that lead to it */
export function sizingOf(
  configs: readonly ManagerConfig[],
  crons: readonly CronRule[],
  metricRules: readonly MetricRule[],
): Sizing {
  const all = configs.length > 0 ? configs : [defaultManager]
  const most = (part: 'minInstances' | 'maxInstances' | 'idleTimeoutSec') => Math.max(...all.map(one => one[part]))
  const finest = Math.min(...all.map(one => logLevels.indexOf(one.logLevel)))
  return {
    minInstances: most('minInstances'),
    maxInstances: most('maxInstances'),
    idleMs: most('idleTimeoutSec') * 1000,
    logLevel: logLevels[finest] ?? 'debug',
    egress: all.map(one => one.egress).filter(one => one.mode !== 'ALL'),
    crons,
    metrics: metricRules,
  }
}

/** How many copies there shall be at least, whatever the calls. */
export function lowest({ minInstances, maxInstances, crons, metrics: rules }: Sizing, now: number): number {
  const floors = [...crons.map(rule => floorOf(rule, now)), ...rules.map(rule => rule.min)]
  return Math.min(maxInstances, Math.max(minInstances, ...floors))
}

/** How many copies there shall be now. */
export function targetOf(sizing: Sizing, load: Load, concurrency: number, now: number) {
  const floor = lowest(sizing, now)
  const byRules = sizing.metrics.map(rule => metricInstances(rule, load))
  const { wanted, isRush } = desiredInstances(load, concurrency)
  const target = Math.max(floor, byRules.length > 0 ? Math.max(...byRules) : wanted)
  return { target: Math.min(sizing.maxInstances, target), floor, isRush }
}

/** Whether a name may be connected to by its name alone. */
export function isHostListed(hosts: readonly string[], host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return hosts.some(one => (one.startsWith('*.') ? name.endsWith(one.slice(1)) : name === one))
}

export const hostPattern = '^(\\*\\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'
export const cidrPattern = '^[0-9a-fA-F.:]{2,45}/[0-9]{1,3}$'
