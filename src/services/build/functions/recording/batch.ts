import { keptText } from '../../../../kernel/text.ts'
import type { Invocation, Ran } from '../invocation.ts'
import { NumberColumn } from './number-column.ts'

/** A call that has ended. */
export interface Recorded {
  ran: Ran
  runnable: Invocation['runnable']
  qualifier: string
  source: Invocation['source']
}

/** As of a few hundred kinds of calls; it grows with what they say. */
const firstBytes = 16 * 1024
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

/** What may be the same of many calls, and what is not. */
const columnsOfKind = {
  kind: 'integer',
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
  boot_ms: 'integer',
  init_ms: 'integer',
  lines: 'jsonb',
} as const
const numbersOfCall = ['kind', 'request_id', 'queue_ms', 'run_ms', 'mem_peak_mb', 'started_at'] as const

const written = [...new Set([...Object.keys(columnsOfKind), ...numbersOfCall])]
  .filter(name => name !== 'kind')
  .join(', ')
const typedOfKind = Object.entries(columnsOfKind).map(one => one.join(' '))
const arrays = numbersOfCall.map((_, at) => `$${at + 2}::bigint[]`)

/** Writes a batch: its kinds as JSON, and each number of its calls as an array. */
export const insertText = `INSERT INTO fn_invocations (${written}) SELECT ${written}
  FROM unnest(${arrays.join(', ')}) AS call(${numbersOfCall.join(', ')})
  JOIN json_to_recordset($1::json) AS about(${typedOfKind.join(', ')}) USING (kind)`

/** Calls of one function that went as most of them go: all about them is the same but some numbers. */
interface Kind {
  qualifier: string
  source: Recorded['source']
  number: number
}

/**
 * Calls that wait to be written to one zone. PostgreSQL takes a call that is a row of JSON in ten microseconds, and one that is
 * a number in each of some arrays in five; whatever is no number is written once for all calls that have it in common.
 */
export class Batch {
  readonly #usual = new Map<Recorded['runnable'], Kind[]>()
  /** As text from the start: thousands of rows at once would hold up every call while they are put into words. */
  readonly #kinds = new Rows()
  readonly #columns = numbersOfCall.map(() => new NumberColumn())

  get size(): number {
    return this.#columns[0]?.count ?? 0
  }

  add(one: Recorded): void {
    const { ran } = one
    const kind = isUsual(ran) ? this.#kindOf(one) : this.#newKind(one)
    const [kinds, ids, queueMs, runMs, memPeakMb, startedAt] = this.#columns
    kinds?.add(kind)
    ids?.addId(ran.requestId)
    queueMs?.add(Math.round(ran.phases.queueMs))
    runMs?.add(Math.round(ran.phases.runMs))
    memPeakMb?.add(Math.round(ran.memPeakMb))
    startedAt?.add(ran.startedAt)
  }

  /** Of `insertText`. Nothing is added afterwards. */
  values(): Buffer[] {
    return [this.#kinds.end(), ...this.#columns.map(column => column.end())]
  }

  #kindOf(one: Recorded): number {
    let kinds = this.#usual.get(one.runnable)
    if (!kinds) {
      kinds = []
      this.#usual.set(one.runnable, kinds)
    }
    let kind = kinds.find(({ qualifier, source }) => qualifier === one.qualifier && source === one.source)
    if (!kind) {
      kind = { qualifier: one.qualifier, source: one.source, number: this.#newKind(one) }
      kinds.push(kind)
    }
    return kind.number
  }

  #newKind(one: Recorded): number {
    const number = this.#kinds.count
    this.#kinds.add(kindRow(one, number))
    return number
  }
}

const isUsual = ({ outcome, phases, logs }: Ran) => outcome === 'SUCCESS' && !phases.isCold && logs.length === 0

function kindRow({ ran, runnable, qualifier, source }: Recorded, kind: number) {
  const { outcome, refusal, fault, phases, logs } = ran
  const row: Record<keyof typeof columnsOfKind, unknown> = {
    kind,
    function_id: runnable.functionId,
    team_id: runnable.teamId,
    project_id: runnable.projectId,
    qualifier,
    version: runnable.version,
    source,
    outcome,
    error_type: fault ? keptText(fault.name) : refusal && String(refusal.row[0]),
    error_message: fault && keptText(fault.message),
    is_cold: phases.isCold,
    boot_ms: Math.round(phases.bootMs),
    init_ms: Math.round(phases.initMs),
    lines: logs.map(one => ({ ...one, line: keptText(one.line) })),
  }
  return row
}
