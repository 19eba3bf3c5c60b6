import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { TestState } from '../../testing/rules.ts'

export const toneOfTest: Record<TestState, Tone> = {
  DRAFT: 'off',
  IN_REVIEW: 'running',
  REJECTED: 'bad',
  WITHDRAWN: 'stopped',
  WAITING: 'waiting',
  TESTING: 'good',
  STOPPED: 'stopped',
  EXPIRED: 'stopped',
  PROMOTED: 'info',
}

const day = 86_400_000

/** Two weeks from now, to the minute. */
export const usualEnd = () => Math.floor((Date.now() + 14 * day) / 60_000) * 60_000
