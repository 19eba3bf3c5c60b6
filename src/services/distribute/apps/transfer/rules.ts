import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const moveStates = ['WAIT_ACCEPT', 'EXECUTING', 'DONE', 'FAILED', 'CANCELED', 'REFUSED', 'EXPIRED'] as const
export type MoveState = (typeof moveStates)[number]
export const moveActions = ['accept', 'refuse', 'cancel'] as const
export type MoveAction = (typeof moveActions)[number] | 'expire' | 'finish' | 'fail'

const day = 86_400_000

export const moveLimits = {
  appsAtOnce: 20,
  waitMs: 60 * day,
  noteLength: 500,
  jobMs: 30 * 60_000,
  /** So long after it is done rows that were written meanwhile are gathered in. */
  settleMs: 15 * 60_000,
  openOfTeam: 50,
} as const

/** Who does what: the sender cancels, the receiver answers; `side` decides, with the right to move apps in that team. */
export const moveCycle = lifeCycle<MoveState, MoveAction>({
  entity: 'app_move',
  states: moveStates,
  moves: [
    { from: ['WAIT_ACCEPT'], action: 'accept', to: 'EXECUTING', may: 'receiver', event: 'app.move.accepted' },
    { from: ['WAIT_ACCEPT'], action: 'refuse', to: 'REFUSED', may: 'receiver', event: 'app.move.refused' },
    { from: ['WAIT_ACCEPT'], action: 'cancel', to: 'CANCELED', may: 'sender', event: 'app.move.canceled' },
    { from: ['WAIT_ACCEPT'], action: 'expire', to: 'EXPIRED', may: 'system', event: 'app.move.expired' },
    { from: ['EXECUTING'], action: 'finish', to: 'DONE', may: 'system', event: 'app.move.done' },
    { from: ['EXECUTING'], action: 'fail', to: 'FAILED', may: 'system', event: 'app.move.failed' },
  ],
})
