import { lifeCycle } from '../../../../kernel/life-cycle.ts'

const dayMs = 86_400_000

/** How long an account waits to be erased; until then it can be kept. */
export const deletionGraceMs = 14 * dayMs
/** An account that leads a team again is not erased; it is tried anew after this. */
export const heldUpMs = dayMs

export const deletionLifeCycle = lifeCycle({
  entity: 'account_deletion',
  states: ['asked', 'cancelled', 'erased'],
  moves: [
    {
      from: ['asked'],
      action: 'cancel',
      to: 'cancelled',
      may: 'session.operate',
      event: 'session.deletion_cancelled',
    },
    { from: ['asked'], action: 'erase', to: 'erased', may: 'system', event: 'session.account_erased' },
  ],
})
export type DeletionState = (typeof deletionLifeCycle.states)[number]
