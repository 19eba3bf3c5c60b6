import { type ErrorRow, Refusal } from '../../../kernel/errors.ts'
import { chainMark } from '../../../server/call-chain.ts'
import type { Server } from '../../../server/server.ts'
import { functionErrors } from './contract.ts'
import type { CallOrder, Fault, Outcome } from './engine/port.ts'
import type { FunctionControls } from './governance/controls.ts'
import { governed, governorsOf, type Making } from './governance/governed.ts'
import { ProjectFull } from './governance/project-gate.ts'
import type { Tried } from './governance/rules.ts'
import { type Invocation, isHeldBack, type Ran } from './invocation.ts'
import { liveLinesOf } from './live/lines.ts'
import { CallLog } from './pool/call-log.ts'
import { callAtFirst, isElsewhere } from './pool/elsewhere.ts'
import { type Runnable, runtimeOf } from './pool/runtime.ts'
import type { Picker } from './pool/version-pool.ts'
import { NoInstance } from './pool/waiting-calls.ts'
import { record } from './recording/recording.ts'
import { limits } from './rules.ts'
import { scalingLimits } from './scaling/rules.ts'

/** What a call set going may ask for a moment longer than it ran. */
const afterCallMs = 60_000

type Told = Omit<Ran, 'requestId' | 'version' | 'logs' | 'startedAt'>

/** Makes one call of a function, as it is governed, and keeps what became of it. Never rejects: whatever happened is told. */
export function invoke(server: Server, invocation: Invocation): Promise<Ran> {
  const elsewhere = isElsewhere(server, invocation.runnable)
  return elsewhere === false ? invokeHere(server, invocation) : invokeElsewhere(server, invocation, elsewhere)
}

const deadlineOf = ({ runnable, delivery, deadlineMs }: Invocation): number =>
  deadlineMs ?? (delivery ? runnable.config.timeoutMs : limits.syncTimeoutMs)

/** Where no answer comes it may have run nevertheless: it is not made here as well. */
async function invokeElsewhere(
  server: Server,
  invocation: Invocation,
  elsewhere: true | Promise<boolean>,
): Promise<Ran> {
  if (!(await elsewhere)) return invokeHere(server, invocation)
  const call = begin(server)
  const ran = await callAtFirst(server, invocation, deadlineOf(invocation))
  return ran ?? keep(server, invocation, call, unprepared('the process that runs it did not answer; try again'))
}

async function invokeHere(server: Server, invocation: Invocation): Promise<Ran> {
  const { runnable, event } = invocation
  const call = begin(server)
  const { requestId, logs } = call
  const making: Making<Told> = {
    make: (number, { ms, picker, controls }) => {
      const id = number === 1 ? requestId : `${requestId}-${number}`
      const timeoutMs = Math.max(1, Math.round(Math.min(runnable.config.timeoutMs, ms)))
      return attempt(server, invocation, { id, timeoutMs, picker, controls, logs })
    },
    notPermitted: retryAfterMs => ({
      ...refused('REFUSED', functionErrors.breakerOpen, { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }, null),
      ...notBegun(0),
    }),
    again: (number, { status }, waitMs) => {
      const line = `try ${number} ended with ${status}; the next one follows in ${Math.round(waitMs)} ms`
      logs.add({ at: server.clock.now(), level: 'warn', line })
    },
  }
  let told = tooLarge(event)
  try {
    told ??= (await governed(server, invocation, deadlineOf(invocation), making)).told
  } catch (error) {
    const { functionId } = runnable
    server.log.error({ functionId, reason: (error as Error).message }, 'a call of a function could not be made')
    told = unprepared('the server could not prepare it; try again')
  }
  return keep(server, invocation, call, told)
}

/** In this order: what is counted since some time is found by the ids since then. */
const begin = (server: Server) => ({
  startedAt: server.clock.now(),
  requestId: server.ids.next(),
  logs: new CallLog(),
})

function keep(server: Server, invocation: Invocation, call: ReturnType<typeof begin>, told: Told): Ran {
  const { runnable, qualifier, source } = invocation
  const { requestId, startedAt, logs } = call
  const ran: Ran = { ...told, requestId, version: runnable.version, logs: logs.lines, startedAt }
  record(server, { ran, runnable, qualifier, source })
  const live = liveLinesOf(server)
  if (live.isWatched(runnable)) {
    const line = ran.fault?.message ?? refusalOf(ran)?.message ?? ''
    live.ended(runnable, { requestId, line, outcome: ran.outcome, durationMs: Math.round(ran.phases.runMs) })
  }
  return ran
}

const unprepared = (message: string): Told => ({
  ...refused('REFUSED', functionErrors.cannotStart, { message }, null),
  ...notBegun(0),
})

/** No message to a copy may be larger: it would end the copy, and with it the calls of others. */
function tooLarge(event: string): Told | undefined {
  const limit = limits.eventJsonBytes
  const bytes = Buffer.byteLength(event)
  return bytes > limit
    ? { ...refused('REFUSED', functionErrors.eventTooLarge, { bytes, limit }, null), ...notBegun(0) }
    : undefined
}

const notBegun = (queueMs: number) => ({
  phases: { queueMs, bootMs: 0, initMs: 0, isCold: true, runMs: 0 },
  memPeakMb: 0,
})

interface Attempt {
  id: string
  timeoutMs: number
  picker: Picker | undefined
  controls: FunctionControls
  logs: CallLog
}

/** One try. */
async function attempt(
  server: Server,
  { runnable, event, caller, delivery, hops = 0 }: Invocation,
  { id, timeoutMs, picker, controls, logs }: Attempt,
) {
  const chain = { projectId: runnable.projectId, hops: hops + 1 }
  const mark = chainMark(server, chain, server.clock.now() + timeoutMs + afterCallMs)
  const from = performance.now()
  const { pool, lines, between } = runtimeOf(server).of(runnable, controls)
  lines.set(id, logs)
  let leave: (() => void) | undefined
  try {
    const entered = governorsOf(server).gate.enter(runnable.projectId)
    leave = entered instanceof Promise ? await entered : entered
    const waitedMs = performance.now() - from
    const order: CallOrder = { id, event, caller, timeoutMs, mark }
    if (delivery) order.delivery = delivery
    const taking = pool.take(picker)
    const taken = taking instanceof Promise ? await taking : taking
    const { phases } = taken
    const { instance } = taken.held
    let outcome: Outcome | undefined
    try {
      outcome = await instance.call(order)
    } finally {
      pool.giveBack(taken, outcome)
    }
    logs.begin(between.take(instance))
    const queueMs = waitedMs + phases.queueMs
    const durationMs = performance.now() - from - queueMs
    const told: Told = {
      ...judge(outcome, runnable, timeoutMs),
      phases: { ...phases, queueMs, runMs: durationMs },
      memPeakMb: outcome.memPeakMb,
    }
    const hasStarted = outcome.kind !== 'ended' || outcome.wasSent
    return { told, tried: triedOf(told, hasStarted), durationMs, instanceId: instance.id }
  } catch (error) {
    if (error instanceof NoInstance) logs.begin(between.ofFailed())
    const told: Told = { ...judgeRefusal(error), ...notBegun(performance.now() - from) }
    return { told, tried: triedOf(told, false), durationMs: 0, instanceId: null }
  } finally {
    leave?.()
    lines.delete(id)
  }
}

/** What retry and breaker go by. */
function triedOf(told: Told, hasStarted: boolean): Tried {
  const { outcome, refusal, result } = told
  const status = refusal ? refusal.row[1] : result?.kind === 'http' ? result.status : 200
  const kinds = { TIMEOUT: 'TIMEOUT', CRASH: 'CRASH', REFUSED: 'CONNECT', SUCCESS: null, ERROR: null } as const
  const error = !hasStarted && outcome !== 'SUCCESS' ? 'CONNECT' : kinds[outcome]
  return { status, error, hasFailed: outcome !== 'SUCCESS', hasStarted, isHeldBack: isHeldBack(told) }
}

type Judged = Pick<Ran, 'outcome' | 'result' | 'refusal' | 'fault'>

const refused = (
  outcome: Ran['outcome'],
  row: ErrorRow,
  detail: Record<string, unknown>,
  fault: Fault | null,
): Judged => ({ outcome, result: null, refusal: { row, detail }, fault })

function judge(outcome: Outcome, { config }: Runnable, timeoutMs: number): Judged {
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
  if (error instanceof ProjectFull)
    return refused('REFUSED', functionErrors.projectFull, { limit: scalingLimits.projectConcurrency }, null)
  if (!(error instanceof NoInstance)) throw error
  const { fault, reason } = error
  const row =
    { queueFull: functionErrors.queueFull, crashLoop: functionErrors.crashLoop }[reason as 'queueFull'] ??
    functionErrors.cannotStart
  const message = fault?.message ?? 'no copy was ready in time'
  return refused('REFUSED', row, { message }, fault)
}

/** The refusal of a call that has no result. Its record has it, and the function's own log: a fault of its code is none of the server's. */
export function refusalOf({ refusal, requestId }: Pick<Ran, 'refusal' | 'requestId'>): Refusal | null {
  return refusal === null ? null : new Refusal(refusal.row, { ...refusal.detail, requestId }, true)
}
