import type { BulkResult, BulkState } from '../kernel/bulk.ts'
import { Refusal } from '../kernel/errors.ts'
import type { Context } from './context.ts'
import type { JobRun } from './work.ts'

/**
 * One action on many things, carried out by a job: a row for the action with `bulk_id, finished_at`, and one for each
 * thing with `bulk_id, position, result, code, message, at`. The names are ours, never a caller's.
 */
export interface BulkTables {
  database: 'home' | 'zone'
  /** The kind of the job. */
  kind: string
  actions: string
  items: string
}

export interface BulkItem {
  bulkId: string
  position: number
  result: BulkResult
}

/** What is done with one thing, and in whose name. */
export interface Attempt {
  by: Context
  /** Runs in the transaction that writes down that it was done. */
  carryOut(inner: Context): Promise<unknown>
}

interface BulkRow {
  bulkId: string
  total: number
  createdBy: string
  finishedAt: number | null
}

/** How many items of an action came to what; `total` where not all of them are seen. */
interface BulkCount {
  bulkId: string
  total?: number
  done: number
  refused: number
}

/** The rows of actions with what their jobs and their counted items say of them; one query, however many. */
export async function tellBulks<Row extends BulkRow>(
  ctx: Context,
  tables: BulkTables,
  rows: readonly Row[],
  known: { counts: readonly BulkCount[]; people: readonly { accountId: string; name: string }[] },
) {
  const { rows: jobs } = await transactionOf(ctx, tables).query<{ job_id: string; state: BulkState }>({
    name: 'jobs of bulks',
    text: 'SELECT job_id, state FROM jobs WHERE job_id = ANY($1::bigint[]) AND kind = $2',
    values: [rows.map(row => row.bulkId), tables.kind],
  })
  const counts = new Map(known.counts.map(one => [one.bulkId, one]))
  const names = new Map(known.people.map(one => [one.accountId, one.name]))
  const states = new Map(jobs.map(one => [one.job_id, one.state]))
  return rows.map(row => {
    const { total = row.total, done = 0, refused = 0 } = counts.get(row.bulkId) ?? {}
    const state: BulkState = row.finishedAt !== null ? 'done' : (states.get(row.bulkId) ?? 'failed')
    const percent = Math.floor(((done + refused) * 100) / total)
    return { ...row, state, total, done, refused, percent, createdBy: names.get(row.createdBy) ?? null }
  })
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
