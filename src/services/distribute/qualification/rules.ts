import type { LocalText } from '../../../kernel/language.ts'
import { lifeCycle } from '../../../kernel/life-cycle.ts'

/** In the order of the numbers that older tools know: 0 to submit, 1 waiting, 2 passed, 3 failed, 4 expired, 5 void. */
export const taskStates = ['TO_SUBMIT', 'WAITING', 'PASSED', 'FAILED', 'EXPIRED', 'VOID'] as const
export type TaskState = (typeof taskStates)[number]

const day = 86_400_000
const MiB = 1024 ** 2

export const limits = {
  tagsAtOnce: 5,
  infosOfTask: 10,
  filesOfInfo: 10,
  imageBytes: 15 * MiB,
  pdfBytes: 5 * MiB,
  resultLength: 10_000,
  textLength: 4000,
  reasonMin: 10,
  messages: 50,
  /** A new approval may be asked for while the old one still runs this long. */
  renewalMs: 60 * day,
  /** After an approval ended, apps stay on shelf this long. */
  graceMs: 14 * day,
  slaDays: 2,
} as const

/** Days before the end on which people are reminded. */
export const reminderDays = [60, 30, 7, 1] as const

export type TaskAction =
  | 'edit'
  | 'submit'
  | 'cancel'
  | 'answer'
  | 'delete'
  | 'ask'
  | 'pass'
  | 'refuse'
  | 'revoke'
  | 'expire'
  | 'replace'
export type TaskFact = 'isComplete' | 'isAsked' | 'isImpartial' | 'isInForce'
export const taskActions = ['edit', 'submit', 'cancel', 'answer', 'delete', 'ask', 'pass', 'refuse', 'revoke'] as const

export const taskCycle = lifeCycle<TaskState, TaskAction, TaskFact>({
  entity: 'qualification',
  states: taskStates,
  moves: [
    {
      from: ['TO_SUBMIT', 'FAILED'],
      action: 'edit',
      to: 'TO_SUBMIT',
      may: 'qualification.edit',
      event: 'qualification.updated',
    },
    {
      from: ['TO_SUBMIT', 'FAILED'],
      action: 'submit',
      to: 'WAITING',
      may: 'qualification.submit',
      needs: ['isComplete'],
      event: 'qualification.submitted',
    },
    {
      from: ['WAITING'],
      action: 'cancel',
      to: 'TO_SUBMIT',
      may: 'qualification.submit',
      event: 'qualification.canceled',
    },
    {
      from: ['WAITING'],
      action: 'answer',
      to: 'WAITING',
      may: 'qualification.submit',
      needs: ['isAsked'],
      event: 'qualification.answered',
    },
    {
      from: ['TO_SUBMIT', 'FAILED', 'EXPIRED', 'VOID'],
      action: 'delete',
      to: null,
      may: 'qualification.edit',
      event: 'qualification.deleted',
    },
    {
      from: ['WAITING'],
      action: 'ask',
      to: 'WAITING',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'qualification.asked',
    },
    {
      from: ['WAITING'],
      action: 'pass',
      to: 'PASSED',
      may: 'review.decide',
      needs: ['isImpartial', 'isInForce'],
      event: 'qualification.passed',
    },
    {
      from: ['WAITING'],
      action: 'refuse',
      to: 'FAILED',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'qualification.failed',
    },
    {
      from: ['PASSED'],
      action: 'revoke',
      to: 'VOID',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'qualification.revoked',
    },
    { from: ['PASSED'], action: 'expire', to: 'EXPIRED', may: 'system', event: 'qualification.expired' },
    { from: ['PASSED'], action: 'replace', to: 'VOID', may: 'system', event: 'qualification.replaced' },
  ],
})

/** A paper that shows that somebody may do what an app offers. */
export interface QualDef {
  qualificationCode: string
  name: LocalText
  /** What a scan may be. */
  fileTypes: readonly ('IMAGE' | 'PDF')[]
  maxFiles: number
  /** Whether it always ends, so that the end must be said. */
  needsValidity: boolean
  /** Where it counts; ISO 3166. */
  countries: readonly string[]
}

/** What a tag, a category or a root needs somewhere: of each set one paper. */
export interface Requirement {
  kindId: number
  countries: readonly string[]
  sets: readonly (readonly string[])[]
}

/** When a paper counts: 0 from one instant to another, 1 for ever. */
export interface Validity {
  validityType: 0 | 1
  startTime: number | null
  expireTime: number | null
}

/** The sets of which no paper is there. */
export function missingSets(requirement: Requirement, codes: readonly string[]): (readonly string[])[] {
  return requirement.sets.filter(set => !set.some(code => codes.includes(code)))
}

/** Why a validity cannot be: null when it can. */
export function validityProblem(of: Validity, def: QualDef, now: number): 'NEEDED' | 'ORDER' | 'OVER' | null {
  if (of.validityType === 1) return def.needsValidity ? 'NEEDED' : null
  const { startTime, expireTime } = of
  if (startTime === null || expireTime === null) return 'NEEDED'
  if (startTime >= expireTime) return 'ORDER'
  return expireTime <= now ? 'OVER' : null
}

/** When the first of the papers ends; null when none does. */
export function endOf(infos: readonly Validity[]): number | null {
  const ends = infos.flatMap(one => (one.validityType === 0 && one.expireTime !== null ? [one.expireTime] : []))
  return ends.length === 0 ? null : Math.min(...ends)
}

/** How many days before the end a reminder is due now, if it was not given: the tightest, so that a server that slept gives one. */
export function reminderDue(expireAt: number, reminded: number | null, now: number): number | null {
  const left = expireAt - now
  if (left <= 0) return null
  const due = reminderDays.filter(days => left <= days * day).at(-1)
  return due === undefined || (reminded !== null && due >= reminded) ? null : due
}

/** How large a file of this kind may be; null when a paper cannot be of that kind. */
export function fileLimitOf(def: QualDef, mime: string): number | null {
  if (def.fileTypes.includes('PDF') && mime === 'application/pdf') return limits.pdfBytes
  return def.fileTypes.includes('IMAGE') && mime.startsWith('image/') ? limits.imageBytes : null
}
