import type { ZoneId } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { Batch, type Recorded } from './batch.ts'

const writeAfterMs = 300
/** As many are written at once, and no later. */
const mostOfWrite = 2_000
/** Where PostgreSQL does not keep up, what is more than this is not recorded. */
const mostWaiting = 10_000

/** What became of calls is written some at a time: no call waits for it. */
class Recorder {
  readonly #server: Server
  readonly #waiting = new Map<ZoneId, Batch>()
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor(server: Server) {
    this.#server = server
  }

  add(one: Recorded): void {
    if (this.#count >= mostWaiting) return
    this.#count++
    const { zone } = one.runnable
    let batch = this.#waiting.get(zone)
    if (!batch) {
      batch = new Batch()
      this.#waiting.set(zone, batch)
    }
    batch.add(one)
    if (batch.size >= mostOfWrite) this.#write(zone, batch)
    this.#timer ??= setTimeout(() => void this.flush(), writeAfterMs)
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const [zone, batch] of this.#waiting) this.#write(zone, batch)
    return this.#writing
  }

  #write(zone: ZoneId, batch: Batch): void {
    this.#waiting.delete(zone)
    this.#writing = this.#writing.then(async () => {
      await this.#insert(zone, batch)
      this.#count -= batch.size
    })
  }

  async #insert(zone: ZoneId, batch: Batch): Promise<void> {
    await systemContext(this.#server, zone, { name: 'functions' })
      .transact(async ctx => {
        for (const insert of batch.inserts()) await ctx.transaction(zone).query(insert)
      })
      .catch(error =>
        this.#server.log.warn({ zone, reason: (error as Error).message }, 'calls of functions were not recorded'),
      )
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

/** Writes what waits on this process: before a stop. */
export const flushOwnRecords = (server: Server): Promise<void> => recorderOf(server).flush()

const gathered = 'functions.records'

/** Call when the process starts. */
export const gatherRecords = (server: Server): void => server.gathered.add(gathered, () => flushOwnRecords(server))

/** Writes what waits anywhere: before somebody looks. */
export const flushRecords = (server: Server): Promise<void> => server.gathered.write(gathered)
