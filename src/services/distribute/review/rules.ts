import { lifeCycle } from '../../../kernel/life-cycle.ts'
import { afterWorking, hoursOfDay, workingBetween, workingCalendars } from '../../../kernel/working-time.ts'
import type { ZoneId } from '../../../kernel/zones.ts'

export const taskStates = ['QUEUED', 'CLAIMED', 'WAITING', 'DECIDED', 'CANCELED'] as const
export type TaskState = (typeof taskStates)[number]

/** AUTO: decided by the rules for automatic passes, nobody takes it. */
export const queues = ['FIRST', 'UPDATE', 'EXPEDITE', 'APPEAL', 'RISK', 'AUTO'] as const
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
  'passOn',
  'escalate',
  'pass',
  'cancel',
] as const
export type TaskAction = (typeof taskActions)[number]

/** Holds the claim; is no member of the owning team; has not judged it, nor what is appealed from; is senior where it needs that; gave what the verdict needs. */
export type TaskFact = 'isHolder' | 'isImpartial' | 'isFresh' | 'isOther' | 'isSenior' | 'hasIssues' | 'hasText'

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
      needs: ['isImpartial', 'isFresh', 'isOther', 'isSenior'],
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
      needs: ['isImpartial', 'isFresh', 'isOther', 'isHolder'],
      event: 'review.task.decided',
    },
    {
      from: ['CLAIMED'],
      action: 'approveWithNotes',
      to: 'DECIDED',
      may: 'review.decide',
      needs: ['isImpartial', 'isFresh', 'isOther', 'isHolder', 'hasText'],
      event: 'review.task.decided',
    },
    {
      from: ['CLAIMED'],
      action: 'reject',
      to: 'DECIDED',
      may: 'review.decide',
      needs: ['isImpartial', 'isFresh', 'isOther', 'isHolder', 'hasIssues'],
      event: 'review.task.decided',
    },
    {
      from: ['CLAIMED'],
      action: 'ask',
      to: 'WAITING',
      may: 'review.decide',
      needs: ['isImpartial', 'isFresh', 'isOther', 'isHolder', 'hasText'],
      event: 'review.task.asked',
    },
    // Where two must agree: to the next reviewer with the opinions so far.
    { from: ['CLAIMED'], action: 'passOn', to: 'QUEUED', may: 'system', event: 'review.task.queued' },
    // Too risky for the one who has it: a senior reviewer goes on.
    {
      from: ['CLAIMED'],
      action: 'escalate',
      to: 'QUEUED',
      may: 'review.decide',
      needs: ['isImpartial', 'isHolder', 'hasText'],
      event: 'review.task.queued',
    },
    { from: ['QUEUED'], action: 'pass', to: 'DECIDED', may: 'system', event: 'review.task.decided' },
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
      from: ['WAITING', 'IN_REVIEW', 'UNRESOLVED'],
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

export const limits = {
  textLength: 4000,
  attachments: 10,
  issues: 50,
  /** Of one thread; enough for years of talk, and one answer can carry it. */
  messages: 200,
  leaseMs: 30 * 60_000,
  usualPriority: 10,
  historyLength: 20,
  itemsOfSubmission: 20,
  titleLength: 100,
  /** The median is taken over so many decisions of the queue. */
  mediansOver: 200,
  reasonMin: 10,
  reasonMax: 500,
  seniorInstalls: 100_000,
  priority: 1000,
} as const

/** Working days within which the store decides; what is expedited, within hours. */
export const slaDays = { FIRST: 3, UPDATE: 1, APPEAL: 2, RISK: 2 } as const
export const expediteHours = 4

/** When a task that is queued now is due: so many working days of the zone's calendar later. */
export function dueAt(queuedAt: number, queue: Queue, zone: ZoneId): number {
  const calendar = workingCalendars[zone]
  if (queue === 'AUTO') return queuedAt
  const hours = queue === 'EXPEDITE' ? expediteHours : slaDays[queue] * hoursOfDay(calendar)
  return afterWorking(calendar, queuedAt, hours * 3_600_000)
}

/** The due time after a pause: what was left of the working time when the clock stopped is left still. */
export function dueAfterPause(due: number, pausedAt: number, now: number, zone: ZoneId): number {
  const calendar = workingCalendars[zone]
  if (due <= pausedAt || now <= pausedAt) return due
  return afterWorking(calendar, now, workingBetween(calendar, pausedAt, due))
}

export type Outcome = 'approve' | 'reject'

export function outcomeOf(verdict: Exclude<Verdict, 'ASK'>): Outcome {
  return verdict === 'REJECT' ? 'reject' : 'approve'
}

/**
 * What follows from a verdict. Where two must agree the first one only passes the task on; when the second agrees it is
 * decided; when they differ a senior reviewer decides.
 */
export function followsFrom(
  task: {
    needsSecond: boolean
    seniorBecause?: SeniorReason | null
    opinions: readonly { verdict: Exclude<Verdict, 'ASK'> }[]
  },
  verdict: Exclude<Verdict, 'ASK'>,
): 'decide' | 'passOn' {
  // A senior reviewer's word ends it.
  if (task.seniorBecause || !task.needsSecond || task.opinions.length >= 2) return 'decide'
  const [first] = task.opinions
  return first && outcomeOf(first.verdict) === outcomeOf(verdict) ? 'decide' : 'passOn'
}

export const seniorReasons = ['RISK', 'INSTALLS', 'APPEAL'] as const
/** Why only a senior reviewer may go on: he was asked, very many people have the app, or the verdict is appealed from. */
export type SeniorReason = (typeof seniorReasons)[number]

/** Whether only a senior reviewer may go on; two opinions that differ are a reason too. */
export function needsSenior(task: { opinions: readonly unknown[]; seniorBecause: SeniorReason | null }): boolean {
  return task.seniorBecause !== null || task.opinions.length >= 2
}

/** A rejection of what so many people have needs a senior reviewer. */
export function isWidelyInstalled(activeInstalls: number): boolean {
  return activeInstalls > limits.seniorInstalls
}

export const itemStates = ['PENDING', 'ACCEPTED', 'REJECTED', 'REMOVED'] as const
export type ItemState = (typeof itemStates)[number]

export const releaseChoices = ['EACH', 'TOGETHER'] as const
/** Of several things: each goes on shelf when it is accepted, or all of them when the last one is. */
export type ReleaseChoice = (typeof releaseChoices)[number]

/** Whether a thing that is accepted waits for the others: while one of them is open or refused. */
export function isHeldBack(release: ReleaseChoice, state: ItemState, states: readonly ItemState[]): boolean {
  return release === 'TOGETHER' && state === 'ACCEPTED' && states.some(one => one === 'PENDING' || one === 'REJECTED')
}

/** Whether a thing may be taken out of the submission: a refused one. What is with the store is withdrawn instead. */
export function canTakeOut(state: ItemState, of: SubmissionState): boolean {
  return state === 'REJECTED' && isThreadOpen(of)
}

/** The state of a thing whose version left the review; what went on shelf when it was accepted stays accepted. */
export function stateAfterLeaving(release: ReleaseChoice, state: ItemState, left: 'REJECTED' | 'REMOVED'): ItemState {
  return release === 'EACH' && state === 'ACCEPTED' ? state : left
}

/** The move of a submission that the states of its items lead to; null while it stays as it is. */
export function moveOfItems(
  state: SubmissionState,
  states: readonly ItemState[],
): 'accept' | 'reject' | 'cancel' | 'resubmit' | null {
  if (state === 'COMPLETE' || state === 'CANCELED') return null
  if (states.includes('PENDING')) return state === 'UNRESOLVED' ? 'resubmit' : null
  if (states.includes('REJECTED')) return state === 'UNRESOLVED' ? null : 'reject'
  return states.includes('ACCEPTED') ? 'accept' : 'cancel'
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
