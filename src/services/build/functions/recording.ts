import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Invocation, Ran } from './invocation.ts'
import { invocations } from './tables.ts'

interface Recorded {
  ran: Ran
  runnable: Invocation['runnable']
  qualifier: string
  source: Invocation['source']
}

const writeAfterMs = 300
const mostWaiting = 5000

/** What became of calls is written a few at a time: no call waits for it. */
class Recorder {
  readonly #server: Server
  #waiting: Recorded[] = []
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor(server: Server) {
    this.#server = server
  }

  add(one: Recorded): void {
    if (this.#waiting.length < mostWaiting) this.#waiting.push(one)
    this.#timer ??= setTimeout(() => void this.flush(), writeAfterMs)
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const waiting = this.#waiting
    this.#waiting = []
    this.#writing = this.#writing.then(() => this.#write(waiting))
    return this.#writing
  }

  async #write(waiting: readonly Recorded[]): Promise<void> {
    const byZone = Map.groupBy(waiting, one => one.runnable.zone)
    for (const [zone, list] of byZone) {
      const rows = list.map(rowOf)
      await systemContext(this.#server, zone, { name: 'functions' })
        .transact(ctx => ctx.db.insert(invocations).values(rows))
        .catch(error =>
          this.#server.log.warn({ zone, reason: (error as Error).message }, 'calls of functions were not recorded'),
        )
    }
  }
}

function rowOf({ ran, runnable, qualifier, source }: Recorded): typeof invocations.$inferInsert {
  const { phases, fault, refusal } = ran
  const { functionId, teamId, projectId, version } = runnable
  return {
    ...{ requestId: ran.requestId, functionId, teamId, projectId, qualifier, version, source, outcome: ran.outcome },
    errorType: fault?.name ?? (refusal ? String(refusal.row[0]) : null),
    errorMessage: fault?.message ?? null,
    isCold: phases.isCold,
    ...{ queueMs: Math.round(phases.queueMs), bootMs: Math.round(phases.bootMs), initMs: Math.round(phases.initMs) },
    ...{
      runMs: Math.round(phases.runMs),
      memPeakMb: Math.round(ran.memPeakMb),
      startedAt: ran.startedAt,
      lines: ran.logs,
    },
  }
}

const recorders = new WeakMap<Server, Recorder>()

function recorderOf(server: Server): Recorder {
  let recorder = recorders.get(server)
  if (!recorder) {
    recorder = new Recorder(server)
    recorders.set(server, recorder)
  }
  return recorder
}

export const record = (server: Server, one: Recorded): void => recorderOf(server).add(one)

/** Writes what waits: before a stop, and before somebody looks. */
export const flushRecords = (server: Server): Promise<void> => recorderOf(server).flush()
