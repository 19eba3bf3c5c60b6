import { Refusal } from '../../../../kernel/errors.ts'
import { keptText } from '../../../../kernel/text.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { reasonForPeople, reasonOf } from '../../../../server/log.ts'
import type { Server } from '../../../../server/server.ts'
import { functionErrors } from '../contract.ts'
import { isHeldBack, type Ran } from '../invocation.ts'
import { invoke, refusalOf } from '../invoke.ts'
import { aliasPattern } from '../rules.ts'
import { targetsOf } from '../targets.ts'
import { noteTrigger } from '../triggers/notes.ts'
import { queueChannel } from './enqueue.ts'
import { type Attempted, type HeldCall, withoutRun } from './held-call.ts'
import { asyncLimits } from './rules.ts'
import { settleAttempt } from './settling.ts'
import { asQueue, renewLeases, takeCalls } from './taking.ts'

type Taken = HeldCall & { isRepeat: boolean }

const isAlias = new RegExp(aliasPattern)

/**
 * Runs the calls that nobody waits for. It looks when it is told that something may be there, when a hand gets free and
 * when a retry is due; a sweep tells it of whatever was missed. Each call is held by a lease that this process renews.
 */
export class QueueWorker {
  readonly #server: Server
  readonly #owner: string
  readonly #running = new Map<string, { zone: ZoneId; functionId: string; done: Promise<void> }>()
  readonly #looking = new Map<ZoneId, Promise<void>>()
  readonly #again = new Set<ZoneId>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #heartbeat: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(server: Server) {
    this.#server = server
    this.#owner = `${process.pid}-${server.ids.next()}`
  }

  /** Before the signals start. */
  start(): void {
    for (const zone of this.#server.config.zones) this.#server.signals.on(zone, queueChannel, () => this.look(zone))
    this.#heartbeat = setInterval(() => void this.#renew(), asyncLimits.heartbeatMs)
    this.#heartbeat.unref()
  }

  /** Takes nothing more, and gives what runs a moment to end. */
  async drain(graceMs = 5_000): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.allSettled(this.#looking.values())
    let late: NodeJS.Timeout | undefined
    const end = new Promise<void>(resolve => {
      late = setTimeout(resolve, graceMs)
    })
    await Promise.race([this.#settled(), end])
    clearTimeout(late)
  }

  /** When what ran has ended, too. */
  async close(): Promise<void> {
    await this.#settled()
    clearInterval(this.#heartbeat)
  }

  look(zone: ZoneId): void {
    if (this.#isClosed) return
    if (this.#looking.has(zone)) {
      this.#again.add(zone)
      return
    }
    const look = this.#take(zone)
      .catch(error =>
        this.#server.log.warn({ zone, reason: reasonOf(error) }, 'calls wait: the database does not answer'),
      )
      .finally(() => {
        this.#looking.delete(zone)
        if (this.#again.delete(zone)) this.look(zone)
      })
    this.#looking.set(zone, look)
  }

  async #settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running.values()].map(one => one.done))
  }

  async #take(zone: ZoneId): Promise<void> {
    for (;;) {
      const free = asyncLimits.hands - this.#running.size
      if (free <= 0 || this.#isClosed) return
      const running: Record<string, number> = {}
      for (const { functionId } of this.#running.values()) running[functionId] = (running[functionId] ?? 0) + 1
      const taken = await takeCalls(this.#server, zone, this.#owner, free, running)
      for (const call of taken) this.#begin(zone, call)
      if (taken.length === 0) return
    }
  }

  #begin(zone: ZoneId, call: Taken): void {
    const done = this.#run(zone, call)
      .catch(error => this.#server.log.error({ zone, requestId: call.requestId, err: error }, 'a call was not ended'))
      .finally(() => {
        this.#running.delete(call.requestId)
        this.look(zone)
      })
    this.#running.set(call.requestId, { zone, functionId: call.functionId, done })
  }

  async #run(zone: ZoneId, call: Taken): Promise<void> {
    const attempted = await this.#attempt(zone, call)
    const settled = await asQueue(this.#server, zone).transact(ctx => settleAttempt(ctx, call, this.#owner, attempted))
    if (settled === null) return
    if (call.triggerId !== null)
      noteTrigger(this.#server, zone, call.triggerId, { result: settled.state === 'WAIT' ? 'RETRY' : settled.state })
    if (settled.state === 'WAIT') this.#lookAt(zone, settled.availableAt)
  }

  async #attempt(zone: ZoneId, call: Taken): Promise<Attempted> {
    const { functionId, qualifier, source, caller, requestId, attempt, isRepeat, depth, payload: event } = call
    try {
      const headers = source === 'APP' && isAlias.test(qualifier) ? headersIn(event) : {}
      const runnable = await targetsOf(this.#server).runnable(zone, functionId, qualifier, headers)
      const delivery = { requestId, attempt, isRepeat }
      const ran = await invoke(this.#server, { runnable, qualifier, source, event, caller, delivery, hops: depth })
      // What this process ended by ending itself is not the function's doing.
      return this.#isClosed && ran.outcome === 'CRASH'
        ? withoutRun('LOST', 'serverStopped', 'the server was stopped')
        : toldOf(ran)
    } catch (error) {
      if (error instanceof Refusal) return withoutRun('REFUSED', String(error.number), error.message)
      this.#server.log.error({ zone, requestId, err: error }, 'a call could not be begun')
      return withoutRun('REFUSED', null, reasonForPeople(error))
    }
  }

  /** On this process; the others hear of it by the sweep. */
  #lookAt(zone: ZoneId, at: number): void {
    if (this.#isClosed) return
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.look(zone)
      },
      Math.max(0, at - this.#server.clock.now()) + 5,
    )
    timer.unref()
    this.#timers.add(timer)
  }

  async #renew(): Promise<void> {
    for (const zone of new Set([...this.#running.values()].map(one => one.zone))) {
      await renewLeases(this.#server, zone, this.#owner).catch(error =>
        this.#server.log.warn({ zone, reason: reasonOf(error) }, 'leases of calls were not renewed'),
      )
    }
  }
}

function toldOf(ran: Ran): Attempted {
  const { outcome, result, fault } = ran
  const refusal = refusalOf(ran)
  const invocationId = ran.requestId
  if (outcome === 'SUCCESS' && result)
    return {
      ...{ outcome, invocationId, errorType: null, errorMessage: null },
      result: result.kind === 'json' ? jsonOf(result.text) : JSON.stringify(result),
    }
  const errorType = fault?.name ?? String(refusal?.number ?? functionErrors.uncaught[0])
  const told = withoutRun(isHeldBack(ran) ? 'THROTTLED' : outcome, errorType, fault?.message ?? refusal?.message ?? '')
  return { ...told, invocationId }
}

/** As the app sent them: the rules of an alias go by them. */
function headersIn(event: string): Readonly<Record<string, string>> {
  return (JSON.parse(event) as { headers: Record<string, string> }).headers
}

/** A process may say of anything that it is JSON; what is none is kept as a text. */
function jsonOf(text: string): string {
  // It is not kept.
  if (text.length > asyncLimits.resultBytes) return text
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(keptText(text))
  }
}

const workers = new WeakMap<Server, QueueWorker>()

/** One a process. */
export function queueWorkerOf(server: Server): QueueWorker {
  let worker = workers.get(server)
  if (!worker) {
    worker = new QueueWorker(server)
    workers.set(server, worker)
  }
  return worker
}
