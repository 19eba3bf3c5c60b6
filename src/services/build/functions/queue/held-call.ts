import { keptText } from '../../../../kernel/text.ts'
import type { Caller } from '../engine/port.ts'
import type { AttemptOutcome } from './rules.ts'

/** A call as who runs or ends it has it. */
export interface HeldCall {
  requestId: string
  functionId: string
  teamId: string
  projectId: string
  qualifier: string
  source: 'APP' | 'CONSOLE' | 'TRIGGER' | 'FUNCTION'
  triggerId: string | null
  depth: number
  caller: Caller | null
  payload: string
  attempt: number
  maxRetry: number
  expiresAt: number
  createdAt: number
}

/** How an attempt ended. */
export interface Attempted {
  outcome: AttemptOutcome
  /** Null where nothing ran. */
  invocationId: string | null
  /** JSON. */
  result: string | null
  errorType: string | null
  errorMessage: string | null
}

/** How a call ends. */
export type Ended = 'SUCCESS' | 'FAIL' | 'DISCARD'

/** An attempt that left nothing but why. */
export const withoutRun = (outcome: AttemptOutcome, errorType: string | null, errorMessage: string): Attempted => ({
  ...{ outcome, invocationId: null, result: null },
  ...{ errorType: errorType && keptText(errorType), errorMessage: keptText(errorMessage.slice(0, 4000)) },
})
