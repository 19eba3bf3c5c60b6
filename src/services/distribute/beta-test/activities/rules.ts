import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const activityStates = ['DRAFT', 'RECRUITING', 'CLOSED'] as const
export type ActivityState = (typeof activityStates)[number]
export const activityActions = ['edit', 'publish', 'close', 'delete'] as const
export type ActivityAction = (typeof activityActions)[number]
export type ActivityFact = 'isAhead' | 'hasRoom'

/** A search for testers: prepared, open to everybody, closed by hand or by its time. */
export const activityLifeCycle = lifeCycle<ActivityState, ActivityAction | 'end', ActivityFact>({
  entity: 'testActivity',
  states: activityStates,
  moves: [
    ...activityStates.map(state => ({
      from: [state],
      action: 'edit' as const,
      to: state,
      may: 'betaTest.manage',
      event: 'activity.updated',
    })),
    {
      from: ['DRAFT', 'CLOSED'],
      action: 'publish',
      to: 'RECRUITING',
      may: 'betaTest.manage',
      needs: ['isAhead', 'hasRoom'],
      event: 'activity.published',
    },
    { from: ['RECRUITING'], action: 'close', to: 'CLOSED', may: 'betaTest.manage', event: 'activity.closed' },
    { from: ['RECRUITING'], action: 'end', to: 'CLOSED', may: 'system', event: 'activity.ended' },
    { from: ['DRAFT', 'CLOSED'], action: 'delete', to: null, may: 'betaTest.manage', event: 'activity.deleted' },
  ],
})

const day = 86_400_000

export const activityLimits = {
  ofApp: 100,
  titleLength: 60,
  textLength: 2_000,
  rewardLength: 200,
  quota: 10_000,
  models: 50,
  modelLength: 60,
  windowMs: 90 * day,
} as const

/** An activity ends after it began, in the future, and lasts 90 days at most. */
export function isActivityWindow({ startAt, endAt }: { startAt: number; endAt: number }, now: number): boolean {
  return endAt > now && endAt > startAt && endAt - startAt <= activityLimits.windowMs
}
