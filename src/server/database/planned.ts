import { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { PlannedSession } from './session.ts'
import { type Db, dialect, type LazyTransaction } from './transaction.ts'

interface Preparable<Row> {
  prepare(name: string): { execute(values?: Record<string, unknown>): Promise<Row> }
}

/** Makes statements; it has no connection of its own. */
const drawingBoard = new NodePgDatabase(dialect, new PlannedSession({} as pg.PoolClient, dialect), undefined) as Db
let made = 0

/**
 * A typed query that is built once and run often: for calls that are hot. What changes from call to call is
 * `sql.placeholder('name')`. Building a query with Drizzle costs as much as the rest of a small call; this does not.
 *
 *     const newest = planned(db => db.select().from(notes).where(eq(notes.teamId, sql.placeholder('teamId'))).limit(20))
 *     const rows = await newest(ctx.transaction(ctx.zone), { teamId: ctx.teamId })
 */
export function planned<Row>(build: (db: Db) => Preparable<Row>) {
  let prepared: ReturnType<Preparable<Row>['prepare']> | undefined
  return (transaction: LazyTransaction, values: Record<string, unknown>): Promise<Row> => {
    prepared ??= build(drawingBoard).prepare(`planned${++made}`)
    // The statement remembers its client; each run is a view of it with the client of its transaction.
    const run = Object.create(prepared, { client: { value: transaction } }) as typeof prepared
    return run.execute(values)
  }
}
