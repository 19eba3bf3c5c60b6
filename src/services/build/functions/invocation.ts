import type { ErrorRow } from '../../../kernel/errors.ts'
import type { Caller, Circumstances, Fault, Result } from './engine/port.ts'
import type { LogLine } from './pool/call-log.ts'
import type { Runnable } from './pool/runtime.ts'
import type { Phases } from './pool/version-pool.ts'

/** One call to be made. */
export interface Invocation extends Circumstances {
  runnable: Runnable
  qualifier: string
  /** How many functions called each other before this one. */
  hops?: number
  source: 'TEST' | 'APP' | 'CONSOLE' | 'TRIGGER' | 'FUNCTION'
  /** As JSON: it is put into words once, and read by the function alone. */
  event: string
  caller: Caller | null
  /** Of the request, where there is one: sessions stay with a copy by them. */
  headers?: Readonly<Record<string, string | string[] | undefined>>
  /** How long the caller waits for all tries together; that of a waiting call unless said. */
  deadlineMs?: number
}

/** What became of it. */
export interface Ran {
  requestId: string
  version: string
  outcome: 'SUCCESS' | 'ERROR' | 'TIMEOUT' | 'CRASH' | 'REFUSED'
  result: Result | null
  /** What to refuse a caller with where there is no result. */
  refusal: { row: ErrorRow; detail: Record<string, unknown> } | null
  fault: Fault | null
  logs: LogLine[]
  phases: Phases & { runMs: number }
  memPeakMb: number
  startedAt: number
}

/** Whether nothing ran, as there was no room for it now, or an open breaker held it back: another time it may. */
export const isHeldBack = ({ outcome, refusal }: Pick<Ran, 'outcome' | 'refusal'>): boolean =>
  outcome === 'REFUSED' && refusal?.row[1] === 429
