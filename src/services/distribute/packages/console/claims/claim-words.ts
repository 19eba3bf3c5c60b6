import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { ClaimState } from '../../claims/rules.ts'

export const claimTones: Readonly<Record<ClaimState, Tone>> = {
  PROVING: 'waiting',
  NOTICE: 'running',
  OBJECTED: 'caution',
  REVIEW: 'running',
  GRANTED: 'good',
  REFUSED: 'bad',
  CANCELED: 'stopped',
}
