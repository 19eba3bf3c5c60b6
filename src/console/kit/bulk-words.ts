import type { BulkResult, BulkState } from '../../kernel/bulk.ts'
import type { Tone } from './StatusBadge.tsx'

export const toneOfBulk: Readonly<Record<BulkState, Tone>> = {
  queued: 'waiting',
  running: 'running',
  done: 'good',
  failed: 'bad',
  canceled: 'stopped',
}

export const toneOfResult: Readonly<Record<BulkResult, Tone>> = {
  WAITING: 'waiting',
  DONE: 'good',
  REFUSED: 'bad',
}

export function isBulkOver(state: BulkState | undefined): boolean {
  return state === 'done' || state === 'failed' || state === 'canceled'
}

/** For the call of a report: asked again each second until the action is over. */
export const untilOver = {
  refetchInterval: (query: { state: { data: unknown } }) =>
    isBulkOver((query.state.data as { state: BulkState } | undefined)?.state) ? (false as const) : 1000,
}
