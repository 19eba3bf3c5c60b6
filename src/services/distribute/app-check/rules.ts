import { lifeCycle } from '../../../kernel/life-cycle.ts'

export const checkStates = ['WAITING', 'RUNNING', 'PASSED', 'FAILED', 'EXPIRED'] as const
export type CheckState = (typeof checkStates)[number]

/** AppGallery Connect's numbers of a detection task. */
export const numberOfState: Readonly<Record<CheckState, number>> = {
  EXPIRED: -1,
  WAITING: 0,
  RUNNING: 1,
  PASSED: 2,
  FAILED: 3,
}

export const checkKinds = ['SECURITY', 'PRIVACY', 'COMPAT', 'PERF', 'UX', 'POWER', 'STABILITY'] as const
export type CheckKind = (typeof checkKinds)[number]

/** PASS: looked at and right. NOT_RUN: nobody could look, and the item says why; never a pass. */
export const results = ['BLOCK', 'WARN', 'INFO', 'PASS', 'NOT_RUN'] as const
export type Result = (typeof results)[number]

export const checkLimits = {
  deadlineMs: 10 * 60_000,
  evidence: 30,
  evidenceLength: 300,
  detectedAtOnce: 20,
  privacyBytes: 1 << 20,
  privacyMs: 15_000,
  /** A page that says less than this says nothing of what becomes of people's data. */
  privacyLetters: 200,
} as const

export type CheckAction = 'start' | 'pass' | 'fail' | 'expire' | 'delete'

export const checkCycle = lifeCycle<CheckState, CheckAction>({
  entity: 'appCheck',
  states: checkStates,
  moves: [
    { from: ['WAITING'], action: 'start', to: 'RUNNING', may: 'system', event: 'check.started' },
    { from: ['RUNNING'], action: 'pass', to: 'PASSED', may: 'system', event: 'check.finished' },
    { from: ['RUNNING'], action: 'fail', to: 'FAILED', may: 'system', event: 'check.finished' },
    { from: ['WAITING', 'RUNNING'], action: 'expire', to: 'EXPIRED', may: 'system', event: 'check.finished' },
    { from: checkStates, action: 'delete', to: null, may: 'appCheck.run', event: 'check.deleted' },
  ],
})

export interface CheckItem {
  ruleId: string
  kind: CheckKind
  result: Result
  /** What was seen: names, hosts, numbers. */
  evidence: string[]
}

/** Whether a package may go on: nothing blocks. */
export function verdictOf(items: readonly CheckItem[]): 'pass' | 'fail' {
  return items.some(item => item.result === 'BLOCK') ? 'fail' : 'pass'
}

export function countsOf(items: readonly CheckItem[]): Record<Result, number> {
  const counts = { BLOCK: 0, WARN: 0, INFO: 0, PASS: 0, NOT_RUN: 0 }
  for (const { result } of items) counts[result] += 1
  return counts
}
