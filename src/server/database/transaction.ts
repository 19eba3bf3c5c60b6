import type { Socket } from 'node:net'
import { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { PlannedSession } from './session.ts'

export type Db = NodePgDatabase

/** One for all transactions: it remembers the column names it has put into snake case. */
export const dialect = new PgDialect({ casing: 'snake_case' })

/** Whose rows a transaction may touch: one team's, all (staff and workers), or none that belong to a team. */
export type RowScope = { team: string } | 'all' | 'none'

/**
 * A transaction that begins with the first query and costs nothing when there is none. The scope is set in the same
 * round trip as BEGIN; row-level security reads it. A query after a failed one is refused by PostgreSQL itself.
 */
export class LazyTransaction {
  readonly #pool: pg.Pool
  readonly #begin: string
  #client: Promise<pg.PoolClient> | undefined
  #db: Db | undefined
  #settled = false

  /** @param timeLeftMs a statement that takes longer is ended by PostgreSQL */
  constructor(pool: pg.Pool, scope: RowScope, mode: 'write' | 'read' = 'write', timeLeftMs?: number) {
    this.#pool = pool
    const limit =
      timeLeftMs === undefined ? '' : `; SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(timeLeftMs))}`
    this.#begin = beginStatement(scope, mode) + limit
  }

  /** Typed queries. */
  get db(): Db {
    this.#db ??= new NodePgDatabase(dialect, new PlannedSession(this as unknown as pg.PoolClient, dialect), undefined)
    return this.#db
  }

  get isBegun(): boolean {
    return this.#client !== undefined
  }

  /** Hand-written SQL on the same transaction; name a statement to have it prepared once a connection. */
  async query<Row extends pg.QueryResultRow>(
    query: pg.QueryConfig | string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    if (this.#settled) throw new Error('the transaction has ended')
    if (!this.#client) return this.#start(query as pg.QueryConfig, values as unknown[])
    const client = await this.#client
    return client.query<Row>(query as pg.QueryConfig, values as unknown[])
  }

  async commit(): Promise<void> {
    await this.#end('COMMIT')
  }

  async rollback(): Promise<void> {
    await this.#end('ROLLBACK')
  }

  /** BEGIN and the first statement travel together: one wait less, and one waking of PostgreSQL. */
  async #start<Row extends pg.QueryResultRow>(query: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult<Row>> {
    this.#client = this.#pool.connect()
    const client = (await this.#client) as pg.PoolClient & { connection: { stream: Socket } }
    const { stream } = client.connection
    stream.cork()
    const begun = client.query(this.#begin)
    const answered = client.query<Row>(query, values)
    stream.uncork()
    const [begin, answer] = await Promise.allSettled([begun, answered])
    if (begin.status === 'rejected') {
      this.#settled = true
      client.release(true)
      throw begin.reason
    }
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }

  async #end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const begun = this.#client
    if (this.#settled || !begun) {
      this.#settled = true
      return
    }
    this.#settled = true
    const client = await begun
    try {
      const result = await client.query(statement)
      client.release()
      // PostgreSQL answers ROLLBACK to COMMIT when a statement before had failed and was swallowed.
      if (statement === 'COMMIT' && result.command === 'ROLLBACK') throw new Error('the transaction had failed before')
    } catch (error) {
      client.release(true)
      if (statement === 'COMMIT') throw error
    }
  }
}

function beginStatement(scope: RowScope, mode: 'write' | 'read'): string {
  const begin = mode === 'read' ? 'BEGIN READ ONLY' : 'BEGIN'
  if (scope === 'none') return begin
  if (scope === 'all') return `${begin}; SET LOCAL app.scope = 'all'`
  if (!/^[0-9]{1,19}$/.test(scope.team)) throw new Error('a team id is a decimal string')
  return `${begin}; SET LOCAL app.team = '${scope.team}'`
}

/** Runs `work` in a transaction of its own and commits it; rolls back when it throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  scope: RowScope,
  work: (transaction: LazyTransaction) => Promise<T>,
): Promise<T> {
  const transaction = new LazyTransaction(pool, scope)
  try {
    const result = await work(transaction)
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.rollback()
    throw error
  }
}
