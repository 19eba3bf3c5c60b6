import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { MoveState } from '../../transfer/rules.ts'

export const moveTones: Readonly<Record<MoveState, Tone>> = {
  WAIT_ACCEPT: 'waiting',
  EXECUTING: 'running',
  DONE: 'good',
  FAILED: 'bad',
  CANCELED: 'stopped',
  REFUSED: 'stopped',
  EXPIRED: 'stopped',
}
