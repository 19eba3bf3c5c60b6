import { keptText } from '../../../kernel/text.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Invocation, Ran } from './invocation.ts'

interface Recorded {
  ran: Ran
  runnable: Invocation['runnable']
  qualifier: string
  source: Invocation['source']
}

const writeAfterMs = 300
/** As many are written at once, and no later. */
const mostOfWrite = 2_000
/** Where PostgreSQL does not keep up, what is more than this is not recorded. */
const mostWaiting = 10_000

/** What is the same of all calls of one kind is written once. */
interface Site extends Pick<Recorded, 'runnable' | 'qualifier' | 'source'> {
  number: number
}

/** As of a few hundred calls; it grows with what they say. */
const firstBytes = 64 * 1024
/** Of one character of a JSON text, which is UTF-16 in memory. */
const mostBytesOfCharacter = 3

/** A JSON array that is put together row by row, outside of the heap: there it would outlive the quick collections. */
class Rows {
  #bytes = Buffer.allocUnsafeSlow(firstBytes)
  #at = this.#bytes.write('[')
  count = 0

  add(row: unknown): void {
    const text = JSON.stringify(row)
    const needed = this.#at + text.length * mostBytesOfCharacter + 2
    if (needed > this.#bytes.length) this.#grow(needed)
    if (this.count++ > 0) this.#at += this.#bytes.write(',', this.#at)
    this.#at += this.#bytes.write(text, this.#at)
  }

  /** All of it. Nothing is added afterwards. */
  end(): Buffer {
    this.#bytes.write(']', this.#at)
    return this.#bytes.subarray(0, this.#at + 1)
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(bytes, 0, 0, this.#at)
    this.#bytes = bytes
  }
}

/** What waits to be written to one zone. */
class Batch {
  readonly #sites = new Map<Recorded['runnable'], Site[]>()
  /** As text from the start: thousands of rows at once would hold up every call while they are put into words. */
  readonly #rows = new Rows()
  #siteCount = 0

  get size(): number {
    return this.#rows.count
  }

  add({ ran, runnable, qualifier, source }: Recorded): void {
    let sites = this.#sites.get(runnable)
    if (!sites) {
      sites = []
      this.#sites.set(runnable, sites)
    }
    let site = sites.find(one => one.qualifier === qualifier && one.source === source)
    if (!site) {
      site = { runnable, qualifier, source, number: this.#siteCount++ }
      sites.push(site)
    }
    this.#rows.add(rowOf(ran, site.number))
  }

  /** Of `insertText`. */
  values(): [Buffer, string] {
    const sites = [...this.#sites.values()].flat().map(siteOf)
    return [this.#rows.end(), JSON.stringify(sites)]
  }
}

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
      await this.#insert(zone, batch.values())
      this.#count -= batch.size
    })
  }

  async #insert(zone: ZoneId, values: [Buffer, string]): Promise<void> {
    await systemContext(this.#server, zone, { name: 'functions' })
      .transact(ctx => ctx.transaction(zone).query({ name: 'functions record', text: insertText, values }))
      .catch(error =>
        this.#server.log.warn({ zone, reason: (error as Error).message }, 'calls of functions were not recorded'),
      )
  }
}

const siteColumns = {
  site: 'integer',
  function_id: 'bigint',
  team_id: 'bigint',
  project_id: 'bigint',
  qualifier: 'text',
  version: 'text',
  source: 'text',
} as const
const callColumns = {
  site: 'integer',
  request_id: 'bigint',
  outcome: 'text',
  error_type: 'text',
  error_message: 'text',
  is_cold: 'boolean',
  queue_ms: 'integer',
  boot_ms: 'integer',
  init_ms: 'integer',
  run_ms: 'integer',
  mem_peak_mb: 'integer',
  started_at: 'bigint',
  lines: 'jsonb',
} as const

const typed = (columns: Readonly<Record<string, string>>) =>
  Object.entries(columns)
    .map(one => one.join(' '))
    .join(', ')
const written = Object.keys({ ...siteColumns, ...callColumns }).filter(name => name !== 'site')
const insertText = `INSERT INTO fn_invocations (${written.join(', ')}) SELECT ${written.join(', ')}
  FROM json_to_recordset($1::json) AS call(${typed(callColumns)})
  JOIN json_to_recordset($2::json) AS about(${typed(siteColumns)}) USING (site)`

function siteOf({ number, runnable, qualifier, source }: Site): Record<keyof typeof siteColumns, unknown> {
  return {
    site: number,
    function_id: runnable.functionId,
    team_id: runnable.teamId,
    project_id: runnable.projectId,
    qualifier,
    version: runnable.version,
    source,
  }
}

function rowOf({ requestId, outcome, refusal, fault, phases, memPeakMb, startedAt, logs }: Ran, site: number) {
  const row: Record<keyof typeof callColumns, unknown> = {
    site,
    request_id: requestId,
    outcome,
    error_type: fault ? keptText(fault.name) : refusal && String(refusal.row[0]),
    error_message: fault && keptText(fault.message),
    is_cold: phases.isCold,
    queue_ms: Math.round(phases.queueMs),
    boot_ms: Math.round(phases.bootMs),
    init_ms: Math.round(phases.initMs),
    run_ms: Math.round(phases.runMs),
    mem_peak_mb: Math.round(memPeakMb),
    started_at: startedAt,
    lines: logs.map(one => ({ ...one, line: keptText(one.line) })),
  }
  return row
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
