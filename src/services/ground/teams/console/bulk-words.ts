import type { TFunction } from 'i18next'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { BulkItemView, BulkView } from './team-calls.ts'

export const toneOfBulk: Readonly<Record<BulkView['state'], Tone>> = {
  queued: 'waiting',
  running: 'running',
  done: 'good',
  failed: 'bad',
  canceled: 'stopped',
}

export const toneOfResult: Readonly<Record<BulkItemView['result'], Tone>> = {
  WAITING: 'waiting',
  DONE: 'good',
  REFUSED: 'bad',
}

export function isBulkOver(state: BulkView['state'] | undefined): boolean {
  return state === 'done' || state === 'failed' || state === 'canceled'
}

/** Why a member was left as he was: our sentence where the number has one, else the server's. */
export function refusalText({ code, message }: BulkItemView, t: TFunction<'ground/teams'>): string | null {
  return code === null ? message : t(`refusals.${code}`, { defaultValue: message ?? '' })
}
