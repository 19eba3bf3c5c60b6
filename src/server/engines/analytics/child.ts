import { createInterface } from 'node:readline'
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { type FailureKind, mostRows, type Order, type Parameter, type Report, type Row } from './messages.ts'

/**
 * The process that DuckDB lives in. Each query has an instance of its own in memory, so that it reaches its own files and
 * nothing else: no other file, no network, no extension, no other setting. Ends with its input.
 */
type Wanted = Extract<Order, { sql: string }>
type DuckDb = typeof import('@duckdb/node-api')

const running = new Map<number, DuckDBConnection | null>()

function tell(report: Report): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}

class Failure extends Error {
  readonly kind: FailureKind
  constructor(kind: FailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

let loaded: Promise<DuckDb> | undefined

function loadDuckDb(): Promise<DuckDb> {
  loaded ??= import('@duckdb/node-api').catch(() => {
    loaded = undefined
    throw new Failure('missing', 'the package @duckdb/node-api cannot be loaded')
  })
  return loaded
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

async function answer(order: Wanted): Promise<Row[]> {
  const duckdb = await loadDuckDb()
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    threads: '2',
    memory_limit: `${order.memoryMb}MB`,
    temp_directory: order.temporary,
    max_temp_directory_size: '4GB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'false',
  })
  try {
    const connection = await instance.connect()
    try {
      const allowed = [...order.files, order.given, order.out].filter(one => one !== undefined)
      await connection.run(`SET TimeZone = 'UTC'`)
      await connection.run(`SET allowed_paths = [${allowed.map(quoted).join(', ')}]`)
      await connection.run(`SET enable_external_access = false`)
      await connection.run(`SET lock_configuration = true`)
      if (!running.has(order.id)) throw new Failure('cancelled', 'the query was cancelled')
      running.set(order.id, connection)
      const { values, types } = bound(duckdb, order)
      const result = await connection.stream(order.sql, values, types)
      const rows: Row[] = []
      for await (const some of result.yieldRowObjectJson()) {
        rows.push(...some)
        if (rows.length > mostRows) throw new Failure('tooMany', `the answer has more than ${mostRows} rows`)
      }
      return rows
    } finally {
      connection.closeSync()
    }
  } finally {
    instance.closeSync()
  }
}

function bound({ listValue, LIST, VARCHAR, BIGINT, DOUBLE, BOOLEAN }: DuckDb, { parameters, files, sql }: Wanted) {
  const all: Record<string, Parameter> = /\$files\b/.test(sql) ? { ...parameters, files } : parameters
  const values: Record<string, DuckDBValue> = {}
  const types: Record<string, ReturnType<typeof LIST> | typeof VARCHAR | typeof BIGINT | typeof DOUBLE> = {}
  const scalar = (value: string | number) => (Number.isSafeInteger(value) ? BigInt(value) : (value as string | number))
  const typeOf = (value: unknown) =>
    typeof value !== 'number' ? VARCHAR : Number.isSafeInteger(value) ? BIGINT : DOUBLE
  for (const [name, value] of Object.entries(all)) {
    if (typeof value === 'boolean') {
      values[name] = value
      types[name] = BOOLEAN as never
    } else if (value === null || typeof value !== 'object') {
      values[name] = value === null ? null : scalar(value)
      types[name] = typeOf(value)
    } else {
      const isWhole = value.every(one => Number.isSafeInteger(one))
      const isText = value.length === 0 || typeof value[0] === 'string'
      values[name] = listValue(value.map(one => (isWhole && !isText ? BigInt(one) : one)))
      types[name] = LIST(isText ? VARCHAR : isWhole ? BIGINT : DOUBLE)
    }
  }
  return { values, types }
}

function failureOf(error: unknown): { failure: FailureKind; message: string } {
  const { message } = error as Error
  if (error instanceof Failure) return { failure: error.kind, message }
  if (/^INTERRUPT/.test(message)) return { failure: 'cancelled', message: 'the query was cancelled' }
  if (/^Out of Memory/i.test(message))
    return { failure: 'memory', message: 'the query needs more memory than it may use' }
  return { failure: 'refused', message }
}

async function run(order: Wanted): Promise<void> {
  running.set(order.id, null)
  try {
    tell({ id: order.id, rows: await answer(order) })
  } catch (error) {
    tell({ id: order.id, ...failureOf(error) })
  } finally {
    running.delete(order.id)
  }
}

function cancel(id: number): void {
  running.get(id)?.interrupt()
  running.delete(id)
}

const lines = createInterface({ input: process.stdin })
lines.on('line', line => {
  const order = JSON.parse(line) as Order
  if ('cancel' in order) cancel(order.id)
  else void run(order)
})
lines.on('close', () => process.exit(0))
