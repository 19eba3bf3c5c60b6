import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { WrittenView } from './menu-calls.ts'

export const announcementTones = { news: 'info', warning: 'caution', maintenance: 'caution' } as const
export const stateTones: Record<WrittenView['state'], Tone> = {
  draft: 'off',
  scheduled: 'waiting',
  live: 'good',
  ended: 'stopped',
}
