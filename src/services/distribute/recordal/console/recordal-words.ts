import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { RecordalState } from '../rules.ts'

export const tones: Readonly<Record<RecordalState, Tone>> = {
  NONE: 'off',
  CHECKING: 'running',
  MATCH: 'good',
  MISMATCH: 'bad',
  NOT_FOUND: 'bad',
  EXPIRED: 'caution',
}
