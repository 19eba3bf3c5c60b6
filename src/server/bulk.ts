import { Refusal } from '../kernel/errors.ts'
import type { Context } from './context.ts'
import type { JobRun } from './work.ts'

/**
 * One action on many things, carried out by a job: a row for the action with `bulk_id, finished_at`, and one for each
 * thing with `bulk_id, position, result, code, message, at`. The names are ours, never a caller's.
 */
export interface BulkTables {
  database: 'home' | 'zone'
  actions: string
  items: string
}

export interface BulkItem {
  bulkId: string
  position: number
  result: 'WAITING' | 'DONE' | 'REFUSED'
}

/** What is done with one thing, and in whose name. */
export interface Attempt {
  by: Context
  /** Runs in the transaction that writes down that it was done. */
  carryOut(inner: Context): Promise<unknown>
}

/**
 * Tries each item that was not tried yet. What became of it is written in the transaction of the attempt itself, under a
 * lock of the item: a job that runs again goes on where it was, and one whose lease has run out while it was still at
 * work does nothing twice. A refusal, also by `prepare`, is written with its number and sentence; other errors end the
 * run, which is tried again.
 */
export async function runItems<Item extends BulkItem>(
  ctx: Context,
  job: JobRun,
  tables: BulkTables,
  items: readonly Item[],
  prepare: (item: Item) => Promise<Attempt>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (item.result !== 'WAITING') continue
    await job.progress(`${index + 1}/${items.length}`, Math.floor((index * 100) / items.length))
    try {
      const { by, carryOut } = await prepare(item)
      await by.transact(async inner => {
        if (!(await isWaiting(inner, tables, item))) return
        await carryOut(inner)
        await note(inner, tables, item, 'DONE', null)
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await ctx.transact(inner => note(inner, tables, item, 'REFUSED', error))
    }
  }
  await finish(ctx, tables, job.jobId)
}

/** For a job that will not be tried again: what nobody came to is told as not done. */
export async function giveUpItems(ctx: Context, job: JobRun, tables: BulkTables): Promise<void> {
  await ctx.transact(inner =>
    transactionOf(inner, tables).query({
      text: `UPDATE ${tables.items} SET result = 'REFUSED', message = $2, at = $3 WHERE bulk_id = $1 AND result = 'WAITING'`,
      values: [job.jobId, 'It was not come to in time; try it again.', inner.now()],
    }),
  )
  await finish(ctx, tables, job.jobId)
}

async function finish(ctx: Context, tables: BulkTables, bulkId: string): Promise<void> {
  await ctx.transact(inner =>
    transactionOf(inner, tables).query({
      text: `UPDATE ${tables.actions} SET finished_at = $2 WHERE bulk_id = $1`,
      values: [bulkId, inner.now()],
    }),
  )
}

async function isWaiting(ctx: Context, tables: BulkTables, { bulkId, position }: BulkItem): Promise<boolean> {
  const { rows } = await transactionOf(ctx, tables).query<{ result: string }>({
    text: `SELECT result FROM ${tables.items} WHERE bulk_id = $1 AND position = $2 FOR UPDATE`,
    values: [bulkId, position],
  })
  return rows[0]?.result === 'WAITING'
}

async function note(
  ctx: Context,
  tables: BulkTables,
  { bulkId, position }: BulkItem,
  result: 'DONE' | 'REFUSED',
  refusal: Refusal | null,
): Promise<void> {
  await transactionOf(ctx, tables).query({
    text: `UPDATE ${tables.items} SET result = $3, code = $4, message = $5, at = $6
      WHERE bulk_id = $1 AND position = $2 AND result = 'WAITING'`,
    values: [bulkId, position, result, refusal?.number ?? null, refusal?.message.slice(0, 1000) ?? null, ctx.now()],
  })
}

function transactionOf(ctx: Context, { database }: BulkTables) {
  return ctx.transaction(database === 'home' ? 'home' : ctx.zone)
}
