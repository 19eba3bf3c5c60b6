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

  /**
   * Hand-written SQL on the same transaction; name a statement to have it prepared once a connection. What is asked at
   * the same time, as by Promise.all, travels together.
   */
  async query<Row extends pg.QueryResultRow>(
    query: pg.QueryConfig | string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    if (this.#settled) throw new Error('the transaction has ended')
    const send = (client: pg.PoolClient) => client.query<Row>(query as pg.QueryConfig, values as unknown[])
    if (this.#client) {
      const client = (await this.#client) as CorkedClient
      gather(client)
      return send(client)
    }
    const [answer] = await this.#start(client => {
      gather(client as CorkedClient)
      return [send(client)]
    })
    return answer as pg.QueryResult<Row>
  }

  /** Several statements in one packet, each run after the one before: one wait for all of them. */
  async together(queries: readonly pg.QueryConfig[]): Promise<pg.QueryResult[]> {
    if (this.#settled) throw new Error('the transaction has ended')
    const send = (client: pg.PoolClient) => queries.map(one => client.query(one))
    if (!this.#client) return this.#start(send)
    return answersOf(await Promise.allSettled(corked((await this.#client) as CorkedClient, send)))
  }

  /** Commits, after statements whose answers nobody needs: they travel with it, in one packet. */
  async commit(last: readonly pg.QueryConfig[] = []): Promise<void> {
    const [first, ...rest] = last
    if (first && !this.#client) {
      await this.query(first)
      await this.#end('COMMIT', rest)
    } else await this.#end('COMMIT', last)
  }

  async rollback(): Promise<void> {
    await this.#end('ROLLBACK')
  }

  /** BEGIN and the first statements travel together: one wait less, and one waking of PostgreSQL. */
  async #start<Row extends pg.QueryResultRow>(
    send: (client: pg.PoolClient) => Promise<pg.QueryResult<Row>>[],
  ): Promise<pg.QueryResult<Row>[]> {
    this.#client = this.#pool.connect()
    const client = (await this.#client) as CorkedClient
    const sent = corked(client, () => [client.query<Row>(this.#begin), ...send(client)])
    const [begin, ...answers] = await Promise.allSettled(sent)
    if (begin?.status === 'rejected') {
      this.#settled = true
      client.release(true)
      throw begin.reason
    }
    return answersOf(answers)
  }

  async #end(statement: 'COMMIT' | 'ROLLBACK', last: readonly pg.QueryConfig[] = []): Promise<void> {
    const begun = this.#client
    if (this.#settled || !begun) {
      this.#settled = true
      return
    }
    this.#settled = true
    const client = (await begun) as CorkedClient
    const answers = await Promise.allSettled(
      corked(client, () => [...last.map(one => client.query(one)), client.query(statement)]),
    )
    client.release(answers.at(-1)?.status === 'rejected')
    if (statement === 'ROLLBACK') return
    const failed = answers.find(one => one.status === 'rejected')
    if (failed) throw failed.reason
    const ended = answers.at(-1) as PromiseFulfilledResult<pg.QueryResult>
    // PostgreSQL answers ROLLBACK to COMMIT when a statement before had failed and was swallowed.
    if (ended.value.command === 'ROLLBACK') throw new Error('the transaction had failed before')
  }
}

type CorkedClient = pg.PoolClient & { connection: { stream: Socket } }

/** What is sent until the work at hand is done goes out as one. */
function gather({ connection: { stream } }: CorkedClient): void {
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** What is sent in here goes out as one. */
function corked<T>(client: CorkedClient, send: (client: CorkedClient) => T): T {
  const { stream } = client.connection
  stream.cork()
  try {
    return send(client)
  } finally {
    stream.uncork()
  }
}

function answersOf<T>(settled: readonly PromiseSettledResult<T>[]): T[] {
  return settled.map(one => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
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
