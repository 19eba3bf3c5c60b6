import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { DeveloperState } from '../../rules.ts'

export const stateTones: Record<DeveloperState, Tone> = {
  draft: 'off',
  submitted: 'waiting',
  approved: 'info',
  rejected: 'bad',
  effective: 'good',
  superseded: 'stopped',
}
