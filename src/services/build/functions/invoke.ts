import { type ErrorRow, Refusal } from '../../../kernel/errors.ts'
import type { Server } from '../../../server/server.ts'
import { functionErrors } from './contract.ts'
import type { Fault, Outcome } from './engine/port.ts'
import type { Invocation, Ran } from './invocation.ts'
import { type LogLine, type Runnable, runtimeOf } from './pool/runtime.ts'
import { NoInstance } from './pool/version-pool.ts'
import { record } from './recording.ts'
import { limits } from './rules.ts'

/** Makes one call of a function and keeps what became of it. Never throws: whatever happened is told. */
export async function invoke(server: Server, invocation: Invocation): Promise<Ran> {
  const { runnable, qualifier, source, event, caller, delivery, hops = 0 } = invocation
  const requestId = server.ids.next()
  const startedAt = server.clock.now()
  const timeoutMs = delivery ? runnable.config.timeoutMs : Math.min(runnable.config.timeoutMs, limits.syncTimeoutMs)
  const { pool, lines } = runtimeOf(server).of(runnable)
  const logs: LogLine[] = []
  lines.set(requestId, logs)
  const from = performance.now()
  const told = await pool.call({ id: requestId, event, caller, timeoutMs, hops, ...(delivery && { delivery }) }).then(
    ({ outcome, phases }) => ({ ...judge(outcome, runnable, timeoutMs), phases, memPeakMb: outcome.memPeakMb }),
    error => ({
      ...judgeRefusal(error),
      phases: { queueMs: performance.now() - from, bootMs: 0, initMs: 0, isCold: true },
      memPeakMb: 0,
    }),
  )
  lines.delete(requestId)
  const runMs = performance.now() - from - told.phases.queueMs
  const ran: Ran = { requestId, version: runnable.version, logs, startedAt, ...told, phases: { ...told.phases, runMs } }
  record(server, { ran, runnable, qualifier, source })
  return ran
}

type Judged = Pick<Ran, 'outcome' | 'result' | 'refusal' | 'fault'>

function judge(outcome: Outcome, { config }: Runnable, timeoutMs: number): Judged {
  const refused = (
    as: Ran['outcome'],
    row: ErrorRow,
    detail: Record<string, unknown>,
    fault: Fault | null,
  ): Judged => ({
    outcome: as,
    result: null,
    refusal: { row, detail },
    fault,
  })
  if (outcome.kind === 'answered') {
    const bytes = Buffer.byteLength(outcome.result.kind === 'json' ? outcome.result.text : outcome.result.body)
    if (bytes > limits.answerBytes)
      return refused('ERROR', functionErrors.answerTooLarge, { bytes, limit: limits.answerBytes }, null)
    return { outcome: 'SUCCESS', result: outcome.result, refusal: null, fault: null }
  }
  const { error } = outcome
  const message = error?.message ?? 'its process ended'
  if (outcome.kind === 'threw') {
    const row = outcome.error.kind === 'notJson' ? functionErrors.notJson : functionErrors.uncaught
    return refused('ERROR', row, { message }, outcome.error)
  }
  if (outcome.reason === 'timeout') return refused('TIMEOUT', functionErrors.timeout, { timeoutMs }, null)
  if (outcome.reason === 'outOfMemory')
    return refused('CRASH', functionErrors.outOfMemory, { memoryMb: config.memoryMb }, error)
  return refused('CRASH', functionErrors.uncaught, { message }, error)
}

function judgeRefusal(error: unknown): Judged {
  if (!(error instanceof NoInstance)) throw error
  const { fault, reason } = error
  const row =
    { queueFull: functionErrors.queueFull, crashLoop: functionErrors.crashLoop }[reason as 'queueFull'] ??
    functionErrors.cannotStart
  const message = fault?.message ?? 'no copy was ready in time'
  return { outcome: 'REFUSED', result: null, refusal: { row, detail: { message } }, fault }
}

/** The refusal of a call that has no result. */
export function refusalOf({ refusal }: Ran): Refusal | null {
  return refusal === null ? null : new Refusal(refusal.row, refusal.detail as never)
}
