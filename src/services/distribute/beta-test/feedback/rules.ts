import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const feedbackStates = ['NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED'] as const
export type FeedbackState = (typeof feedbackStates)[number]
export const feedbackActions = ['take', 'resolve', 'dismiss', 'reopen', 'note', 'delete'] as const
export type FeedbackAction = (typeof feedbackActions)[number]

const may = 'betaTest.manage'

/** What the team makes of what a tester says. */
export const feedbackLifeCycle = lifeCycle<FeedbackState, FeedbackAction>({
  entity: 'testFeedback',
  states: feedbackStates,
  moves: [
    { from: ['NEW'], action: 'take', to: 'IN_PROGRESS', may, event: 'feedback.taken' },
    { from: ['NEW', 'IN_PROGRESS'], action: 'resolve', to: 'RESOLVED', may, event: 'feedback.resolved' },
    { from: ['NEW', 'IN_PROGRESS'], action: 'dismiss', to: 'DISMISSED', may, event: 'feedback.dismissed' },
    { from: ['RESOLVED', 'DISMISSED'], action: 'reopen', to: 'IN_PROGRESS', may, event: 'feedback.reopened' },
    ...feedbackStates.map(state => ({
      from: [state],
      action: 'note' as const,
      to: state,
      may,
      event: 'feedback.noted',
    })),
    { from: feedbackStates, action: 'delete', to: null, may, event: 'feedback.deleted' },
  ],
})

export const feedbackLimits = {
  textLength: 1_000,
  noteLength: 1_000,
  factLength: 100,
  screenshots: 6,
  logs: 3,
  logBytes: 10 * 1024 * 1024,
  /** Of one person in a day; of an open test one network address counts as one. */
  perDay: 20,
  /** Pictures and logs. */
  filesPerDay: 60,
  /** Of one test version in a day, whoever sends it. */
  perVersionPerDay: 2_000,
  dayMs: 86_400_000,
  /** An address to send a file to lives so long. */
  ticketMs: 10 * 60_000,
} as const

export const pictureKinds = ['png', 'jpg', 'jpeg', 'webp'] as const
/** What an app wrote while it ran: text, or an archive of texts. */
export const logKinds = ['txt', 'log', 'zip'] as const

export const isLogKind = (extension: string): boolean => (logKinds as readonly string[]).includes(extension)
