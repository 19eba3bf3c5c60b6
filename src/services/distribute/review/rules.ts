import { lifeCycle } from '../../../kernel/life-cycle.ts'

export const taskStates = ['QUEUED', 'CLAIMED', 'WAITING', 'DECIDED', 'CANCELED'] as const
export type TaskState = (typeof taskStates)[number]

export const queues = ['FIRST', 'UPDATE'] as const
export type Queue = (typeof queues)[number]

export const verdicts = ['APPROVE', 'APPROVE_WITH_NOTES', 'REJECT', 'ASK'] as const
export type Verdict = (typeof verdicts)[number]

export const taskActions = [
  'claim',
  'release',
  'lapse',
  'approve',
  'approveWithNotes',
  'reject',
  'ask',
  'answer',
  'cancel',
] as const
export type TaskAction = (typeof taskActions)[number]

/** Holds the claim; is no member of the owning team; gave what the verdict needs. */
export type TaskFact = 'isHolder' | 'isImpartial' | 'hasIssues' | 'hasText'

/** WAITING: the developer was asked and the clock stands; the answer queues it again, a reviewer may also take it back. */
export const taskCycle = lifeCycle<TaskState, TaskAction, TaskFact>({
  entity: 'reviewTask',
  states: taskStates,
  moves: [
    {
      from: ['QUEUED', 'WAITING'],
      action: 'claim',
      to: 'CLAIMED',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'review.task.claimed',
    },
    {
      from: ['CLAIMED'],
      action: 'release',
      to: 'QUEUED',
      may: 'review.decide',
      needs: ['isHolder'],
      event: 'review.task.queued',
    },
    { from: ['CLAIMED'], action: 'lapse', to: 'QUEUED', may: 'system', event: 'review.task.queued' },
    {
      from: ['CLAIMED'],
      action: 'approve',
      to: 'DECIDED',
      may: 'review.decide',
      needs: ['isImpartial', 'isHolder'],
      event: 'review.task.decided',
    },
    {
      from: ['CLAIMED'],
      action: 'approveWithNotes',
      to: 'DECIDED',
      may: 'review.decide',
      needs: ['isImpartial', 'isHolder', 'hasText'],
      event: 'review.task.decided',
    },
    {
      from: ['CLAIMED'],
      action: 'reject',
      to: 'DECIDED',
      may: 'review.decide',
      needs: ['isImpartial', 'isHolder', 'hasIssues'],
      event: 'review.task.decided',
    },
    {
      from: ['CLAIMED'],
      action: 'ask',
      to: 'WAITING',
      may: 'review.decide',
      needs: ['isImpartial', 'isHolder', 'hasText'],
      event: 'review.task.asked',
    },
    { from: ['WAITING'], action: 'answer', to: 'QUEUED', may: 'review.message', event: 'review.task.queued' },
    {
      from: ['QUEUED', 'CLAIMED', 'WAITING'],
      action: 'cancel',
      to: 'CANCELED',
      may: 'system',
      event: 'review.task.canceled',
    },
  ],
})

export const submissionStates = ['WAITING', 'IN_REVIEW', 'UNRESOLVED', 'COMPLETE', 'CANCELED'] as const
export type SubmissionState = (typeof submissionStates)[number]

/** UNRESOLVED: something must be changed; handing the version in again goes on with the same thread. */
export const submissionCycle = lifeCycle({
  entity: 'submission',
  states: submissionStates,
  moves: [
    { from: ['WAITING'], action: 'take', to: 'IN_REVIEW', may: 'review.decide', event: 'submission.state' },
    {
      from: ['WAITING', 'IN_REVIEW'],
      action: 'accept',
      to: 'COMPLETE',
      may: 'review.decide',
      event: 'submission.state',
    },
    {
      from: ['WAITING', 'IN_REVIEW'],
      action: 'reject',
      to: 'UNRESOLVED',
      may: 'review.decide',
      event: 'submission.state',
    },
    { from: ['WAITING'], action: 'failPrecheck', to: 'UNRESOLVED', may: 'system', event: 'submission.state' },
    { from: ['UNRESOLVED'], action: 'resubmit', to: 'WAITING', may: 'system', event: 'submission.state' },
    {
      from: ['WAITING', 'IN_REVIEW', 'UNRESOLVED'],
      action: 'cancel',
      to: 'CANCELED',
      may: 'system',
      event: 'submission.state',
    },
  ],
})

const dayMs = 86_400_000

export const limits = {
  textLength: 4000,
  attachments: 10,
  issues: 50,
  /** Of one thread; enough for years of talk, and one answer can carry it. */
  messages: 200,
  leaseMs: 30 * 60_000,
  usualPriority: 10,
  historyLength: 20,
} as const

/** Working days within which the store decides. */
export const slaDays: Readonly<Record<Queue, number>> = { FIRST: 3, UPDATE: 1 }

/** When a task that is queued now is due: the same hour, so many working days (Monday to Friday, UTC) later. */
export function dueAt(queuedAt: number, queue: Queue): number {
  let at = queuedAt
  for (let left = slaDays[queue]; left > 0; ) {
    at += dayMs
    if (isWorkingDay(at)) left--
  }
  return at
}

/** The due time after a pause: later by as long as the clock stood, and never on a day nobody works. */
export function dueAfterPause(due: number, pausedAt: number, now: number): number {
  let at = due + Math.max(0, now - pausedAt)
  while (!isWorkingDay(at)) at += dayMs
  return at
}

function isWorkingDay(at: number): boolean {
  const day = new Date(at).getUTCDay()
  return day !== 0 && day !== 6
}

const actionOfVerdict: Readonly<Record<Verdict, TaskAction>> = {
  APPROVE: 'approve',
  APPROVE_WITH_NOTES: 'approveWithNotes',
  REJECT: 'reject',
  ASK: 'ask',
}

/** The move of the task that a verdict is. */
export function actionOf(verdict: Verdict): TaskAction {
  return actionOfVerdict[verdict]
}

/** Whether a claim is still held: one whose lease has run out counts as lost, even before anybody noticed. */
export function isHeldBy(
  task: { claimedBy: string | null; claimExpiresAt: number | null },
  accountId: string,
  now: number,
): boolean {
  return task.claimedBy === accountId && task.claimExpiresAt !== null && task.claimExpiresAt > now
}

/** A claim whose lease has run out. */
export function isLapsed(task: { state: TaskState; claimExpiresAt: number | null }, now: number): boolean {
  return task.state === 'CLAIMED' && (task.claimExpiresAt ?? 0) <= now
}

/** States in which both sides may still write to the thread. */
export function isThreadOpen(state: SubmissionState): boolean {
  return state === 'WAITING' || state === 'IN_REVIEW' || state === 'UNRESOLVED'
}
