import { lifeCycle } from '../../../kernel/life-cycle.ts'

export const endpointStates = ['ENABLED', 'DISABLED', 'FAILED'] as const
export type EndpointState = (typeof endpointStates)[number]

/** `FAILED` was disabled by us, after days without one success. */
export const endpointLifeCycle = lifeCycle({
  entity: 'webhook',
  states: endpointStates,
  moves: [
    { from: ['ENABLED'], action: 'disable', to: 'DISABLED', may: 'webhooks.edit', event: 'webhook.disabled' },
    { from: ['DISABLED', 'FAILED'], action: 'enable', to: 'ENABLED', may: 'webhooks.edit', event: 'webhook.enabled' },
    { from: ['ENABLED'], action: 'fail', to: 'FAILED', may: 'system', event: 'webhook.failed' },
  ],
})

/** `WAITING` has a time, `QUEUED` and `SENDING` have a job. */
export const deliveryStates = ['WAITING', 'QUEUED', 'SENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

export const limits = {
  nameLength: 64,
  urlLength: 1024,
  endpointsOfTeam: 20,
  overlapHours: 72,
  /** Of an answer's body. */
  shownBytes: 16_384,
  /** Past this an answer is broken off, whatever its sender thinks of it. */
  readBytes: 1_048_576,
  timeoutMs: 15 * second,
  /** Without one success for so long an endpoint is disabled. */
  failingForMs: 3 * day,
  keptDays: 30,
  replayedAtOnce: 10_000,
  chartDays: 30,
} as const

/** How long to wait after each failed try; after the last one the delivery has failed. Together about 3 days. */
export const retryDelaysMs: readonly number[] = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[1 * hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 20 * hour, 24 * hour],
]

const longestWaitMs = day

/**
 * When to try again after `tries` failures, or null when that was the last. Up to a tenth earlier or later (`chance`
 * from 0 to 1), so that what failed together does not come back together; never before the receiver asked.
 */
export function nextTryAt(now: number, tries: number, chance: number, retryAfterMs = 0): number | null {
  const delay = retryDelaysMs[tries - 1]
  if (delay === undefined) return null
  const spread = delay * (0.9 + 0.2 * chance)
  return now + Math.round(Math.max(spread, Math.min(retryAfterMs, longestWaitMs)))
}

/** What a receiver asked for with `Retry-After`: seconds or a date; 0 when nothing that can be read. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * second
  // Date.parse reads too much: -5 would be a month.
  const at = /^[A-Za-z]{3,9},? .*GMT$/.test(header.trim()) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, at - now)
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Standard Webhooks: the receiver says that it never wants another. */
export function isGone(status: number): boolean {
  return status === 410
}
