import { and, asc, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { userImportRows, userImports } from '../tables.ts'
import { type BatchDone, type ImportRow, importBatch, type Staged } from './batch.ts'
import { forgetTwins, twinsInTable } from './twins.ts'

export const importJob = 'appAuth.import'
const batchRows = 500

async function importOf(ctx: Context, importId: string, lock = false): Promise<ImportRow | undefined> {
  const found = ctx.db.select().from(userImports).where(eq(userImports.importId, importId))
  const [row] = lock ? await found.for('update') : await found
  return row
}

async function stagedFrom(ctx: Context, importId: string, from: number): Promise<Staged[]> {
  const rows = await ctx.db
    .select({ index: userImportRows.index, row: userImportRows.row })
    .from(userImportRows)
    .where(and(eq(userImportRows.importId, importId), gte(userImportRows.index, from)))
    .orderBy(asc(userImportRows.index))
    .limit(batchRows)
  return rows.flatMap(({ index, row }) => (row === null ? [] : [{ index, row }]))
}

/** Keeps the faults of rows, and drops what is in them. */
export async function settleRows(ctx: Context, job: ImportRow, staged: readonly Staged[], done: BatchDone) {
  const { importId, teamId } = job
  const first = staged[0]?.index ?? 0
  const last = staged.at(-1)?.index ?? 0
  const faults = done.failures.map(({ index, code, msg }) => ({
    importId,
    teamId,
    index,
    row: null,
    code,
    message: msg,
  }))
  await ctx.db
    .delete(userImportRows)
    .where(
      and(eq(userImportRows.importId, importId), gte(userImportRows.index, first), lt(userImportRows.index, last + 1)),
    )
  if (faults.length > 0) await ctx.db.insert(userImportRows).values(faults)
}

/** Goes on where a process that died had stopped: each batch and its place are one transaction. */
export async function runImportJob(ctx: Context, run: JobRun): Promise<void> {
  const importId = String(run.input['importId'])
  const first = await ctx.transact(inner => importOf(inner, importId))
  if (first?.state !== 'RUNNING') return
  if (first.onConflict === 'FAIL' && first.doneRows === 0 && !first.isDryRun) {
    if (await hasFaults(ctx, first, run)) return
  }
  for (;;) {
    run.signal.throwIfAborted()
    const job = await ctx.transact(async inner => {
      const row = await importOf(inner, importId, true)
      if (row?.state !== 'RUNNING') return null
      const staged = await stagedFrom(inner, importId, row.doneRows)
      const isLast = row.doneRows + batchRows >= row.total
      const done = await importBatch(inner, row, staged, twinsInTable, row.isDryRun)
      await settleRows(inner, row, staged, done)
      return closeBatch(inner, row, Math.min(row.total, row.doneRows + batchRows), done, isLast)
    })
    if (!job) return
    await run.progress(`${job.doneRows} of ${job.total}`, Math.floor((job.doneRows / Math.max(1, job.total)) * 100))
    if (job.state !== 'RUNNING') return
  }
}

async function closeBatch(ctx: Context, row: ImportRow, doneRows: number, done: BatchDone, isLast: boolean) {
  const [kept] = await ctx.db
    .update(userImports)
    .set({
      doneRows,
      made: sql`${userImports.made} + ${done.made}`,
      merged: sql`${userImports.merged} + ${done.merged}`,
      failed: sql`${userImports.failed} + ${done.failures.length}`,
      ...(isLast ? { state: 'DONE', endedAt: ctx.now() } : {}),
    })
    .where(eq(userImports.importId, row.importId))
    .returning()
  if (isLast) await forgetTwins(ctx, row.importId)
  if (isLast && !row.isDryRun) {
    const data = { projectId: row.projectId, importId: row.importId }
    ctx.emit({ type: 'app_auth.users_imported', entity: 'appUserImport', entityId: row.importId, data })
  }
  return kept ?? null
}

/** With FAIL one fault stops everything before anything is made; the faults of all rows are told. */
async function hasFaults(ctx: Context, job: ImportRow, run: JobRun): Promise<boolean> {
  const { importId } = job
  let failed = 0
  await ctx.transact(inner => forgetTwins(inner, importId))
  for (let from = 0; from < job.total; from += batchRows) {
    run.signal.throwIfAborted()
    const { failures } = await ctx.transact(async inner => {
      const done = await importBatch(inner, job, await stagedFrom(inner, importId, from), twinsInTable, true)
      await markFaults(inner, job, done.failures)
      return done
    })
    failed += failures.length
    await run.progress(`${Math.min(from + batchRows, job.total)} of ${job.total} read`, 0)
  }
  await ctx.transact(async inner => {
    await forgetTwins(inner, importId)
    if (failed === 0) return
    const isOwn = eq(userImportRows.importId, importId)
    await inner.db.delete(userImportRows).where(and(isOwn, isNull(userImportRows.code)))
    await inner.db.update(userImportRows).set({ row: null }).where(isOwn)
    await inner.db
      .update(userImports)
      .set({ state: 'FAILED', failed, doneRows: job.total, endedAt: inner.now() })
      .where(eq(userImports.importId, importId))
  })
  return failed > 0
}

/** Writes down what is wrong with rows that stay where they are. */
async function markFaults(ctx: Context, { importId, teamId }: ImportRow, failures: BatchDone['failures']) {
  if (failures.length === 0) return
  await ctx.db
    .insert(userImportRows)
    .values(failures.map(({ index, code, msg }) => ({ importId, teamId, index, row: null, code, message: msg })))
    .onConflictDoUpdate({
      target: [userImportRows.importId, userImportRows.index],
      set: { code: sql`excluded.code`, message: sql`excluded.message` },
    })
}

export async function giveUpImport(ctx: Context, { input }: JobRun): Promise<void> {
  const importId = String(input['importId'])
  await ctx.transact(async inner => {
    await inner.db
      .update(userImports)
      .set({ state: 'FAILED', endedAt: inner.now() })
      .where(and(eq(userImports.importId, importId), eq(userImports.state, 'RUNNING')))
    await inner.db.delete(userImportRows).where(and(eq(userImportRows.importId, importId), isNull(userImportRows.code)))
    await forgetTwins(inner, importId)
  })
}
