import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'

export const toneOfBulk: Readonly<Record<'queued' | 'running' | 'done' | 'failed' | 'canceled', Tone>> = {
  queued: 'waiting',
  running: 'running',
  done: 'good',
  failed: 'bad',
  canceled: 'stopped',
}

export const toneOfResult: Readonly<Record<'WAITING' | 'DONE' | 'REFUSED', Tone>> = {
  WAITING: 'waiting',
  DONE: 'good',
  REFUSED: 'bad',
}
