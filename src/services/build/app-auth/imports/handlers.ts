import { and, asc, desc, eq, gt, isNotNull, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { missingPrograms } from '../../../../server/programs.ts'
import { errors } from '../contract.ts'
import { bcryptNeeds, isTooCostly, missingOfHash } from '../foreign-hashes.ts'
import { projectHere } from '../product.ts'
import type { HashAlgorithm } from '../rules.ts'
import { type ImportHash, userImportRows, userImports } from '../tables.ts'
import { type ImportRow, importBatch, type Staged } from './batch.ts'
import { userImports as contract, type ImportedUserRow } from './contract.ts'
import { importJob, settleRows } from './run.ts'
import { noTwins } from './twins.ts'

const importMs = 6 * 3_600_000
const importRowsMost = 1_000_000
/** Rows in one statement: PostgreSQL takes 65,535 parameters. */
const insertRows = 1000

interface Sent {
  projectId: string
  importId?: string
  users: ImportedUserRow[]
  hash?: Omit<ImportHash, 'algorithm' | 'sealedKey'> & { algorithm: HashAlgorithm; key?: string }
  onConflict?: 'SKIP' | 'FAIL' | 'MERGE'
  dryRun?: boolean
  more?: boolean
}

export default implement(contract, {
  importUsers: async (ctx, { body }) => {
    const { projectId, teamId } = await projectHere(ctx, body.projectId)
    const job =
      body.importId === undefined ? await begin(ctx, { ...body, projectId, teamId }) : await openImport(ctx, body)
    const isPart = body.importId !== undefined && body.hash !== undefined
    const hash = isPart && body.hash ? await checkedHash(ctx, projectId, body.hash) : undefined
    const staged = body.users.map((row, at) => ({ index: job.total + at, row: hash ? { ...row, hash } : row }))
    if (body.importId === undefined && body.more !== true) return atOnce(ctx, job, staged)
    await stage(ctx, job, staged)
    const total = job.total + staged.length
    const jobId = body.more === true ? null : startJob(ctx, job.importId)
    const [kept] = await ctx.db
      .update(userImports)
      .set({ total, ...(jobId === null ? {} : { state: 'RUNNING', jobId }) })
      .where(eq(userImports.importId, job.importId))
      .returning()
    return { import: kept ?? job, success: 0, failures: [] }
  },

  getImport: async (ctx, { query }) => {
    const { projectId, importId, cursor, pageSize = 20 } = query
    await projectHere(ctx, projectId)
    const job = await importOf(ctx, projectId, importId)
    const isFault = and(eq(userImportRows.importId, importId), isNotNull(userImportRows.code))
    const from = cursor !== undefined && /^\d{1,9}$/.test(cursor) ? Number(cursor) : -1
    const rows = await ctx.db
      .select()
      .from(userImportRows)
      .where(and(isFault, gt(userImportRows.index, from)))
      .orderBy(asc(userImportRows.index))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      import: job,
      total: await ctx.db.$count(userImportRows, isFault),
      list: list.map(({ index, code, message }) => ({ index, code: code ?? '', msg: message ?? '' })),
      nextCursor: rows.length > pageSize ? String(list.at(-1)?.index) : null,
    }
  },

  listImports: async (ctx, { query }) => {
    const { projectId, cursor, pageSize = 20 } = query
    await projectHere(ctx, projectId)
    const isOwn = eq(userImports.projectId, projectId)
    const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
    const rows = await ctx.db
      .select()
      .from(userImports)
      .where(and(isOwn, isCursor ? lt(userImports.importId, cursor) : undefined))
      .orderBy(desc(userImports.importId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    const nextCursor = rows.length > pageSize ? (list.at(-1)?.importId ?? null) : null
    return { total: await ctx.db.$count(userImports, isOwn), list, nextCursor }
  },
})

async function importOf(ctx: Context, projectId: string, importId: string, lock = false): Promise<ImportRow> {
  const found = ctx.db
    .select()
    .from(userImports)
    .where(and(eq(userImports.importId, importId), eq(userImports.projectId, projectId)))
  const [row] = lock ? await found.for('update') : await found
  return row ?? refuse(commonErrors.notFound, { entity: 'import', id: importId })
}

async function openImport(ctx: Context, { projectId, importId = '', users }: Sent): Promise<ImportRow> {
  const job = await importOf(ctx, projectId, importId, true)
  if (job.state !== 'FILLING') refuse(errors.importOver, { state: job.state })
  if (job.total + users.length > importRowsMost) refuse(errors.importTooLarge, { limit: importRowsMost })
  return job
}

async function begin(ctx: Context, sent: Sent & { teamId: string }): Promise<ImportRow> {
  const { projectId, teamId, hash, onConflict = 'SKIP', dryRun = false } = sent
  const importId = ctx.newId()
  const [row] = await ctx.db
    .insert(userImports)
    .values({
      ...{ importId, projectId, teamId, onConflict, isDryRun: dryRun, state: 'FILLING' },
      hash: hash ? await checkedHash(ctx, projectId, hash) : null,
      createdBy: ctx.accountId,
      createdAt: ctx.now(),
    })
    .returning()
  const after = { projectId, onConflict, dryRun, algorithm: hash?.algorithm }
  ctx.audit({ action: 'appUser.import', entity: 'appUserImport', entityId: importId, after })
  return row ?? refuse(commonErrors.internal)
}

async function checkedHash(ctx: Context, projectId: string, sent: NonNullable<Sent['hash']>): Promise<ImportHash> {
  const { key, ...params } = sent
  const sealedKey = key === undefined ? {} : { sealedKey: ctx.server.masterKey.seal('app auth import', projectId, key) }
  const hash: ImportHash = { ...params, ...sealedKey }
  const field = missingOfHash(hash)
  if (field !== null) refuse(errors.importHash, { algorithm: hash.algorithm, field })
  if (isTooCostly(hash))
    refuse(errors.importHash, { algorithm: hash.algorithm, field: 'parameters that one sign-in can afford' })
  const lacking = hash.algorithm === 'BCRYPT' ? await missingPrograms(bcryptNeeds) : null
  if (lacking) refuse(commonErrors.missingEngine, { engine: lacking.missing, install: lacking.install })
  return hash
}

/** Up to a thousand are made, or refused, while the caller waits. */
async function atOnce(ctx: Context, job: ImportRow, staged: readonly Staged[]) {
  const trial = job.isDryRun || job.onConflict === 'FAIL'
  let done = await importBatch(ctx, job, staged, noTwins, trial)
  const isRefused = job.onConflict === 'FAIL' && done.failures.length > 0
  if (trial && !job.isDryRun && !isRefused) done = await importBatch(ctx, job, staged, noTwins, false)
  const made = isRefused ? 0 : done.made
  const merged = isRefused ? 0 : done.merged
  await settleRows(ctx, job, staged, done)
  const [kept] = await ctx.db
    .update(userImports)
    .set({
      ...{ made, merged, failed: done.failures.length, total: staged.length, doneRows: staged.length },
      state: isRefused ? 'FAILED' : 'DONE',
      endedAt: ctx.now(),
    })
    .where(eq(userImports.importId, job.importId))
    .returning()
  const failures = done.failures.toSorted((a, b) => a.index - b.index)
  return { import: kept ?? job, success: made + merged, failures }
}

async function stage(ctx: Context, { importId, teamId }: ImportRow, staged: readonly Staged[]): Promise<void> {
  for (let at = 0; at < staged.length; at += insertRows) {
    const values = staged.slice(at, at + insertRows).map(({ index, row }) => ({ importId, teamId, index, row }))
    await ctx.db.insert(userImportRows).values(values)
  }
}

function startJob(ctx: Context, importId: string): string {
  return ctx.startJob({ kind: importJob, subject: importId, deadlineMs: importMs, input: { importId } })
}

/** Imports that were begun and never finished. */
export async function forgetImports(ctx: Context, before: number): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `DELETE FROM app_user_import_rows WHERE import_id IN
      (SELECT import_id FROM app_user_imports WHERE created_at < $1 LIMIT 100)`,
    values: [before],
  })
  await ctx.transaction(ctx.zone).query({
    text: `DELETE FROM app_user_import_keys WHERE import_id IN
      (SELECT import_id FROM app_user_imports WHERE created_at < $1 LIMIT 100)`,
    values: [before],
  })
  await ctx.db
    .update(userImports)
    .set({ state: 'FAILED', endedAt: ctx.now() })
    .where(and(lt(userImports.createdAt, before), sql`${userImports.state} IN ('FILLING', 'RUNNING')`))
}
