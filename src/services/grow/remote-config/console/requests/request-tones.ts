import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { ChangeRequestView } from '../../change-requests/contract.ts'

export const requestTones: Readonly<Record<ChangeRequestView['state'], Tone>> = {
  DRAFT: 'off',
  SUBMITTED: 'waiting',
  APPROVED: 'info',
  PUBLISHED: 'good',
  REJECTED: 'bad',
  CONFLICT: 'caution',
  DISCARDED: 'stopped',
}
