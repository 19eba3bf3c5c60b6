import { keptText } from '../../../../kernel/text.ts'
import type { Invocation, Ran } from '../invocation.ts'
import { JsonRows } from './json-rows.ts'
import { arrayOf, NumberColumn } from './number-column.ts'

/** A call that has ended. */
export interface Recorded {
  ran: Ran
  runnable: Invocation['runnable']
  qualifier: string
  source: Invocation['source']
}

/** As PostgreSQL is told it. */
export interface Insert {
  name: string
  text: string
  values: (string | Buffer)[]
}

const columnsOfBoth = {
  ...{ function_id: 'bigint', team_id: 'bigint', project_id: 'bigint' },
  ...{ qualifier: 'text', version: 'text', source: 'text' },
} as const
const columnsOfCall = {
  ...columnsOfBoth,
  ...{ request_id: 'bigint', outcome: 'text', error_type: 'text', error_message: 'text', is_cold: 'boolean' },
  ...{ queue_ms: 'integer', boot_ms: 'integer', init_ms: 'integer', run_ms: 'integer', mem_peak_mb: 'integer' },
  ...{ started_at: 'bigint', lines: 'jsonb' },
} as const
const columnsInCommon = {
  ...columnsOfBoth,
  ...{
    calls: 'integer',
    first_id: 'bigint',
    last_id: 'bigint',
    first_at: 'bigint',
    last_at: 'bigint',
    ran_ms: 'bigint',
  },
} as const
const numbersOfCall = ['request_ids', 'queue_ms', 'run_ms', 'mem_peak_mb', 'started_at'] as const

const typed = (columns: object) =>
  Object.entries(columns)
    .map(one => one.join(' '))
    .join(', ')
const namesOfCall = Object.keys(columnsOfCall).join(', ')
const namesInCommon = Object.keys(columnsInCommon).join(', ')

const insertCalls = `INSERT INTO fn_invocations (${namesOfCall})
  SELECT ${namesOfCall} FROM json_to_recordset($1::json) AS call(${typed(columnsOfCall)})`

/** The numbers of all rows are one array, in which each row has its part. */
const parts = numbersOfCall.map((_, at) => `($${at + 2}::bigint[])[before + 1 : before + calls]`)
const insertAlike = `INSERT INTO fn_calls_alike (${namesInCommon}, ${numbersOfCall.join(', ')})
  SELECT ${namesInCommon}, ${parts.join(', ')}
  FROM json_to_recordset($1::json) AS alike(${typed({ ...columnsInCommon, before: 'integer' })})`

/** Calls of one version by one qualifier and from one source that went as most go. */
class Alike {
  readonly columns = numbersOfCall.map(() => new NumberColumn())
  readonly #one: Recorded
  #firstId: bigint | undefined
  #lastId = 0n
  #firstAt = Number.POSITIVE_INFINITY
  #lastAt = 0
  #ranMs = 0

  constructor(one: Recorded) {
    this.#one = one
  }

  get calls(): number {
    return this.columns[0]?.count ?? 0
  }

  isOf({ qualifier, source }: Recorded): boolean {
    return this.#one.qualifier === qualifier && this.#one.source === source
  }

  add({ requestId, phases, memPeakMb: mb, startedAt: at }: Ran): void {
    const id = BigInt(requestId)
    if (this.#firstId === undefined || id < this.#firstId) this.#firstId = id
    if (id > this.#lastId) this.#lastId = id
    this.#firstAt = Math.min(this.#firstAt, at)
    this.#lastAt = Math.max(this.#lastAt, at)
    const ranMs = Math.round(phases.runMs)
    this.#ranMs += ranMs
    const [ids, queueMs, runMs, memPeakMb, startedAt] = this.columns
    ids?.addBig(id)
    queueMs?.add(Math.round(phases.queueMs))
    runMs?.add(ranMs)
    memPeakMb?.add(Math.round(mb))
    startedAt?.add(at)
  }

  /** @param before how many calls of other rows are in front of its own */
  row(before: number): Record<keyof typeof columnsInCommon | 'before', unknown> {
    const span = { first_at: this.#firstAt, last_at: this.#lastAt, ran_ms: this.#ranMs }
    const ids = { first_id: String(this.#firstId), last_id: String(this.#lastId) }
    return { ...ofBoth(this.#one), ...ids, ...span, calls: this.calls, before }
  }
}

/**
 * Calls that wait to be written to one zone. Those that went as most go are written together: a row of its own for each takes
 * PostgreSQL four times as long, and thirty times the room.
 */
export class Batch {
  readonly #alike = new Map<Recorded['runnable'], Alike[]>()
  /** As text from the start: thousands of rows at once would hold up every call while they are put into words. */
  readonly #others = new JsonRows()
  size = 0

  add(one: Recorded): void {
    this.size++
    if (isUsual(one.ran)) this.#alikeTo(one).add(one.ran)
    else this.#others.add(rowOf(one))
  }

  /** What writes all of it. Nothing is added afterwards. */
  inserts(): Insert[] {
    const inserts: Insert[] = []
    if (this.#alike.size > 0) inserts.push(this.#insertAlike())
    if (this.#others.count > 0)
      inserts.push({ name: 'functions calls', text: insertCalls, values: [this.#others.end()] })
    return inserts
  }

  #insertAlike(): Insert {
    const all = [...this.#alike.values()].flat()
    let before = 0
    const rows = all.map(alike => {
      const row = alike.row(before)
      before += alike.calls
      return row
    })
    const arrays = numbersOfCall.map((_, at) => arrayOf(all.flatMap(alike => alike.columns[at] ?? [])))
    return { name: 'functions calls alike', text: insertAlike, values: [JSON.stringify(rows), ...arrays] }
  }

  #alikeTo(one: Recorded): Alike {
    let kinds = this.#alike.get(one.runnable)
    if (!kinds) {
      kinds = []
      this.#alike.set(one.runnable, kinds)
    }
    let alike = kinds.find(kind => kind.isOf(one))
    if (!alike) {
      alike = new Alike(one)
      kinds.push(alike)
    }
    return alike
  }
}

const isUsual = ({ outcome, phases, logs }: Ran) => outcome === 'SUCCESS' && !phases.isCold && logs.length === 0

const ofBoth = ({ runnable, qualifier, source }: Recorded): Record<keyof typeof columnsOfBoth, unknown> => ({
  ...{ function_id: runnable.functionId, team_id: runnable.teamId, project_id: runnable.projectId },
  ...{ qualifier, version: runnable.version, source },
})

function rowOf(one: Recorded): Record<keyof typeof columnsOfCall, unknown> {
  const { requestId, outcome, refusal, fault, phases, memPeakMb, startedAt, logs } = one.ran
  return {
    ...ofBoth(one),
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
    lines: logs.map(line => ({ ...line, line: keptText(line.line) })),
  }
}
