import type { Duplex } from 'node:stream'
import type pg from 'pg'
import type { ZoneId } from '../../../kernel/zones.ts'
import { LazyTransaction } from '../../../server/database/transaction.ts'
import type { Server } from '../../../server/server.ts'

/** What runs a statement: a pool, where it is a transaction by itself, or a transaction. */
export interface Runner {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig | pg.QueryArrayConfig): Promise<pg.QueryResult<Row>>
}

/** Names by text: PostgreSQL keeps what has a name planned on each connection. */
const names = new Map<string, string>()
const mostNames = 2_000

function nameOf(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < mostNames) {
    name = `cdb${names.size}`
    names.set(text, name)
  }
  return name
}

/** A statement that is planned once a connection. */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  const name = nameOf(text)
  return name === undefined ? { text, values } : { name, text, values }
}

/** The same with rows as lists of values. */
export function preparedArrays(text: string, values: unknown[]): pg.QueryArrayConfig {
  return { ...prepared(text, values), rowMode: 'array' } as pg.QueryArrayConfig
}

/** Statements of their own: typed tables are under no row-level security, and one statement is a transaction. */
export const poolOf = (server: Server, zone: ZoneId): Runner => server.pools.of(zone) as unknown as Runner

interface Quick {
  query: pg.QueryConfig | pg.QueryArrayConfig
  resolve(result: pg.QueryResult<never>): void
  reject(error: unknown): void
}
const quick = new WeakMap<pg.Pool, Quick[]>()

/**
 * For reads by a key, which take PostgreSQL no longer than being woken: those of one moment share a connection and go out
 * as one packet. Each is a transaction by itself, and fails by itself.
 */
export const quickLaneOf = (server: Server, zone: ZoneId): Runner => {
  const pool = server.pools.of(zone)
  return {
    query: query =>
      new Promise((resolve, reject) => {
        const waiting = quick.get(pool) ?? []
        waiting.push({ query, resolve: resolve as Quick['resolve'], reject })
        if (waiting.length > 1) return
        quick.set(pool, waiting)
        setImmediate(() => {
          quick.delete(pool)
          void sendAll(pool, waiting)
        })
      }),
  }
}

async function sendAll(pool: pg.Pool, waiting: readonly Quick[]): Promise<void> {
  let client: pg.PoolClient & { connection: { stream: Duplex } }
  try {
    client = await pool.connect()
  } catch (error) {
    for (const one of waiting) one.reject(error)
    return
  }
  const { stream } = client.connection
  stream.cork()
  const sent = waiting.map(({ query, resolve, reject }) =>
    client.query<never>(query as pg.QueryConfig).then(resolve, error => {
      reject(error)
      // A connection that is gone takes all of them along.
      return (error as { severity?: string } | null)?.severity === undefined
    }),
  )
  stream.uncork()
  client.release((await Promise.all(sent)).includes(true))
}

/** Runs `work` in a transaction; runs it again where it lost a deadlock or met a row that came meanwhile. */
export async function inTurns<T>(server: Server, zone: ZoneId, work: (run: LazyTransaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const transaction = new LazyTransaction(server.pools.of(zone), 'none')
    try {
      const result = await work(transaction)
      await transaction.commit()
      return result
    } catch (error) {
      await transaction.rollback()
      if (tries >= 4 || !(error instanceof Overtaken || isLostTurn(error))) throw error
    }
  }
}

/** A row was written by somebody else between our look and our write. */
export class Overtaken extends Error {}

const codeOf = (error: unknown): string => String((error as { code?: string } | null)?.code ?? '')
export const isLostTurn = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))
/** The tables are no longer what we remembered: a column or a table is gone, or a plan does not fit. */
export const isSchemaGone = (error: unknown): boolean => ['42703', '42P01', '3F000', '0A000'].includes(codeOf(error))
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505'

/** Numbers the parameters of a statement. */
export class Parameters {
  readonly values: unknown[] = []

  add(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }

  /** The number the next one gets. */
  get next(): number {
    return this.values.length + 1
  }

  addAll(values: readonly unknown[]): void {
    this.values.push(...values)
  }
}
