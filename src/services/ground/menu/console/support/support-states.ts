import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { SupportView } from '../menu-calls.ts'

export const supportTones: Readonly<Record<SupportView['state'], Tone>> = {
  waiting: 'waiting',
  accepted: 'good',
  declined: 'bad',
}
