import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { ActivityState } from '../activities/rules.ts'
import type { FeedbackState } from '../feedback/rules.ts'
import type { UserState } from '../rules.ts'

export const ns = 'distribute/beta-test'

export const toneOfUser: Readonly<Record<UserState, Tone>> = {
  ADDED: 'off',
  INVITED: 'waiting',
  ACCEPTED: 'good',
  DECLINED: 'stopped',
  REMOVED: 'stopped',
  UNSUBSCRIBED: 'stopped',
}

export const toneOfFeedback: Readonly<Record<FeedbackState, Tone>> = {
  NEW: 'info',
  IN_PROGRESS: 'running',
  RESOLVED: 'good',
  DISMISSED: 'stopped',
}

export const toneOfActivity: Readonly<Record<ActivityState, Tone>> = {
  DRAFT: 'off',
  RECRUITING: 'good',
  CLOSED: 'stopped',
}
