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

/** What became of calls is written some at a time: no call waits for it. */
class Recorder {
  readonly #server: Server
  readonly #waiting = new Map<ZoneId, string[]>()
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor(server: Server) {
    this.#server = server
  }

  /** Kept as text from the start: thousands of rows at once would hold up every call while they are put into words. */
  add(one: Recorded): void {
    if (this.#count >= mostWaiting) return
    this.#count++
    const { zone } = one.runnable
    const rows = this.#waiting.get(zone)
    if (rows) rows.push(JSON.stringify(rowOf(one)))
    else this.#waiting.set(zone, [JSON.stringify(rowOf(one))])
    if (rows && rows.length >= mostOfWrite) this.#write(zone)
    this.#timer ??= setTimeout(() => void this.flush(), writeAfterMs)
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const zone of [...this.#waiting.keys()]) this.#write(zone)
    return this.#writing
  }

  #write(zone: ZoneId): void {
    const rows = this.#waiting.get(zone) ?? []
    this.#waiting.delete(zone)
    this.#writing = this.#writing.then(async () => {
      await this.#insert(zone, rows)
      this.#count -= rows.length
    })
  }

  async #insert(zone: ZoneId, rows: readonly string[]): Promise<void> {
    const values = [`[${rows.join(',')}]`]
    await systemContext(this.#server, zone, { name: 'functions' })
      .transact(ctx => ctx.transaction(zone).query({ name: 'functions record', text: insertText, values }))
      .catch(error =>
        this.#server.log.warn({ zone, reason: (error as Error).message }, 'calls of functions were not recorded'),
      )
  }
}

const columns = {
  request_id: 'bigint',
  function_id: 'bigint',
  team_id: 'bigint',
  project_id: 'bigint',
  qualifier: 'text',
  version: 'text',
  source: 'text',
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

const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
const insertText = `INSERT INTO fn_invocations (${Object.keys(columns).join(', ')})
  SELECT ${Object.keys(columns).join(', ')} FROM json_to_recordset($1::json) AS row(${typed.join(', ')})`

function rowOf({ ran, runnable, qualifier, source }: Recorded): Record<keyof typeof columns, unknown> {
  const { phases, fault, refusal } = ran
  return {
    request_id: ran.requestId,
    function_id: runnable.functionId,
    team_id: runnable.teamId,
    project_id: runnable.projectId,
    qualifier,
    version: runnable.version,
    source,
    outcome: ran.outcome,
    error_type: withoutNull(fault?.name ?? (refusal ? String(refusal.row[0]) : null)),
    error_message: withoutNull(fault?.message ?? null),
    is_cold: phases.isCold,
    queue_ms: Math.round(phases.queueMs),
    boot_ms: Math.round(phases.bootMs),
    init_ms: Math.round(phases.initMs),
    run_ms: Math.round(phases.runMs),
    mem_peak_mb: Math.round(ran.memPeakMb),
    started_at: ran.startedAt,
    lines: ran.logs.map(one => ({ ...one, line: withoutNull(one.line) })),
  }
}

/** PostgreSQL keeps no text with a null byte or half a sign: one line of one call must not cost the record of all. */
const withoutNull = (text: string | null) => text?.toWellFormed().replaceAll('\0', '\ufffd') ?? null

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
