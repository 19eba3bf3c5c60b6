import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const changeStates = [
  'DRAFT',
  'SUBMITTED',
  'APPROVED',
  'PUBLISHED',
  'REJECTED',
  'CONFLICT',
  'DISCARDED',
] as const
type ChangeState = (typeof changeStates)[number]

export const changeActions = [
  'update',
  'submit',
  'approve',
  'reject',
  'withdraw',
  'revise',
  'schedule',
  'unschedule',
  'publish',
  'discard',
] as const

export const changeLimits = { open: 50, titleLength: 120, reasonLength: 1_024, mostApprovals: 2, keptDays: 90 } as const

const facts = ['isOther', 'isFirstTime', 'isEnough', 'hasReason', 'isAhead'] as const
export type ChangeFact = (typeof facts)[number]

const edit = 'remoteConfig.edit'
const publish = 'remoteConfig.publish'
const event = (what: string) => `remote_config.change_${what}`

/**
 * What somebody wants to publish, until others agreed. Who decides is somebody else than who wrote it; a base that moved
 * makes a conflict that the author solves, and agreement begins anew.
 */
export const changeCycle = lifeCycle<ChangeState, (typeof changeActions)[number] | 'overtake', ChangeFact>({
  entity: 'change_request',
  states: changeStates,
  moves: [
    { from: ['DRAFT'], action: 'update', to: 'DRAFT', may: edit, event: event('updated') },
    {
      from: ['DRAFT'],
      action: 'submit',
      to: ({ isEnough }) => (isEnough ? 'APPROVED' : 'SUBMITTED'),
      may: edit,
      event: event('submitted'),
    },
    {
      from: ['SUBMITTED', 'APPROVED'],
      action: 'approve',
      to: ({ isEnough }) => (isEnough ? 'APPROVED' : 'SUBMITTED'),
      may: publish,
      needs: ['isOther', 'isFirstTime'],
      event: event('approved'),
    },
    {
      from: ['SUBMITTED', 'APPROVED'],
      action: 'reject',
      to: 'REJECTED',
      may: publish,
      needs: ['isOther', 'hasReason'],
      event: event('rejected'),
    },
    { from: ['SUBMITTED', 'APPROVED'], action: 'withdraw', to: 'DRAFT', may: edit, event: event('withdrawn') },
    { from: ['REJECTED', 'CONFLICT'], action: 'revise', to: 'DRAFT', may: edit, event: event('revised') },
    {
      from: ['APPROVED'],
      action: 'schedule',
      to: 'APPROVED',
      may: publish,
      needs: ['isEnough', 'isAhead'],
      event: event('scheduled'),
    },
    { from: ['APPROVED'], action: 'unschedule', to: 'APPROVED', may: publish, event: event('unscheduled') },
    {
      from: ['APPROVED'],
      action: 'publish',
      to: 'PUBLISHED',
      may: publish,
      needs: ['isEnough'],
      event: event('published'),
    },
    {
      from: ['DRAFT', 'REJECTED', 'CONFLICT'],
      action: 'discard',
      to: 'DISCARDED',
      may: edit,
      event: event('discarded'),
    },
    {
      from: ['DRAFT', 'SUBMITTED', 'APPROVED'],
      action: 'overtake',
      to: 'CONFLICT',
      may: 'system',
      event: event('conflict'),
    },
  ],
})

/** What counts of a round of votes: who agreed, how often. */
export const approvalsIn = (
  votes: readonly { round: number; verdict: 'APPROVE' | 'REJECT' }[],
  round: number,
): number => votes.filter(one => one.round === round && one.verdict === 'APPROVE').length
