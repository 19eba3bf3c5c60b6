import { Refusal, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { readObject, releaseObjects } from '../../../ground/files/public.ts'
import { databaseOf, typeOf, zoneOf } from '../catalogue.ts'
import { cloudDb } from '../contract.ts'
import { tellChanges } from '../live/tell.ts'
import type { Cell, Column, Place } from '../model.ts'
import { administrator } from '../objects/access.ts'
import { emptyType } from '../objects/clear.ts'
import { sealerFor } from '../objects/read.ts'
import { dataErrors } from '../objects/rules.ts'
import { keyText, readRow } from '../objects/values.ts'
import { heldByKey, writeIn } from '../objects/write.ts'
import type { RowError } from '../tables.ts'
import type { FileFormat, ImportMode } from './contract.ts'
import { dateFrom, type FileRow, rowsIn } from './formats.ts'

const batchRows = 500
const mostErrors = 1_000

interface Input {
  projectId: string
  zone: string
  type: string
  format: FileFormat
  mode: ImportMode
  dryRun: boolean
  objectId: string
}

interface Progress {
  rowsDone: number
  errorCount: number
}

/**
 * Reads the file in batches. Rows, counts, errors and how far it is are one transaction a batch: a run after a crash goes
 * on behind the last batch, and no row is written twice.
 */
export async function importRows(ctx: Context, job: JobRun): Promise<void> {
  const input = job.input as unknown as Input
  const place = await placeOf(ctx, input)
  let progress = await ctx.transact(inner => progressOf(inner, job.jobId))
  const { stream, object } = await ctx.transact(inner => readObject(inner, input.objectId))
  let batch: FileRow[] = []
  const read = { bytes: 0 }
  stream.on('data', part => {
    read.bytes += (part as Buffer).length
  })
  stream.pause()
  const settle = async () => {
    progress = await writeBatch(ctx, job, place, input, progress, batch)
    const percent = Math.min(99, Math.floor((read.bytes * 100) / Math.max(1, object.sizeBytes)))
    await job.progress(`${progress.rowsDone}`, percent)
    batch = []
  }
  try {
    for await (const row of rowsIn(stream, input.format, place.type)) {
      if (row.row <= progress.rowsDone) continue
      batch.push(row)
      if (batch.length === batchRows) await settle()
      job.signal.throwIfAborted()
    }
  } finally {
    stream.destroy()
  }
  if (batch.length > 0 || progress.rowsDone === 0) await settle()
  await ctx.transact(async inner => {
    await inner.transaction(inner.zone).query({
      text: 'UPDATE cdb_processes SET finished_at = $2, rows_total = rows_done WHERE process_id = $1',
      values: [job.jobId, inner.now()],
    })
    await releaseObjects(inner, [object.objectId])
  })
}

async function placeOf(ctx: Context, input: Input): Promise<Place> {
  const database = await databaseOf(ctx.server, ctx.zone, input.projectId)
  if (!database?.isEnabled) refuse(cloudDb.errors.notEnabled)
  return {
    server: ctx.server,
    zone: ctx.zone,
    database,
    dataZone: zoneOf(database, input.zone),
    type: typeOf(database, input.type),
  }
}

async function progressOf(ctx: Context, processId: string): Promise<Progress> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ rows_done: string; error_count: string }>({
    text: 'SELECT rows_done, error_count FROM cdb_processes WHERE process_id = $1',
    values: [processId],
  })
  return { rowsDone: Number(rows[0]?.rows_done ?? 0), errorCount: Number(rows[0]?.error_count ?? 0) }
}

interface Ready {
  row: number
  cells: Map<Column, Cell>
  key: string | null
}

async function writeBatch(
  ctx: Context,
  job: JobRun,
  place: Place,
  input: Input,
  before: Progress,
  batch: readonly FileRow[],
): Promise<Progress> {
  const errors: RowError[] = []
  const ready = batch.flatMap(one => readOne(place, one, errors) ?? [])
  const rowsDone = batch.at(-1)?.row ?? before.rowsDone
  const { seqs, counts } = await ctx.transact(async inner => {
    const run = inner.transaction(inner.zone)
    // Who was overtaken by another worker with the same job stops here.
    const { rows } = await run.query<{ rows_done: string }>({
      text: 'SELECT rows_done FROM cdb_processes WHERE process_id = $1 FOR UPDATE',
      values: [job.jobId],
    })
    if (Number(rows[0]?.rows_done) !== before.rowsDone) throw new Error('another run of this import went on')
    const told: string[] = []
    if (input.mode === 'REPLACE' && before.rowsDone === 0 && !input.dryRun) told.push(...(await emptyType(run, place)))
    const last = new Map(ready.map((one, at) => [one.key ?? `#${at}`, one]))
    const held = await heldByKey(
      run,
      place,
      [...last.values()].map(one => one.cells),
    )
    const wanted = [...last.values()].filter(one => {
      if (input.mode !== 'INSERT' || one.key === null || !held.has(one.key)) return true
      errors.push({
        row: one.row,
        code: dataErrors.keyTaken[0],
        message: `There is a row with the key ${one.key} already.`,
      })
      return false
    })
    if (wanted.length > 0 && !input.dryRun) {
      const bytes = 0
      const actor = administrator(`import:${job.jobId}`, '')
      const rowsToWrite = wanted.map(one => one.cells)
      for (const group of uniform(place, rowsToWrite)) {
        told.push(...(await writeIn(run, place, actor, { operation: 'UPSERT', rows: group, bytes })).seqs)
      }
    }
    const updated = wanted.filter(one => one.key !== null && held.has(one.key)).length
    const numbers = { inserted: wanted.length - updated, updated, skipped: batch.length - wanted.length }
    const kept = errors.slice(0, Math.max(0, mostErrors - before.errorCount))
    await run.query({
      text: `UPDATE cdb_processes SET rows_done = $2, inserted = inserted + $3, updated = updated + $4, skipped = skipped + $5,
        errors = errors || $6::jsonb, error_count = error_count + $7 WHERE process_id = $1`,
      values: [
        job.jobId,
        rowsDone,
        numbers.inserted,
        numbers.updated,
        numbers.skipped,
        JSON.stringify(kept),
        errors.length,
      ],
    })
    return { seqs: told, counts: numbers }
  })
  tellChanges(place, seqs)
  ctx.log.debug({ job: job.jobId, ...counts }, 'a batch of an import')
  return { rowsDone, errorCount: before.errorCount + errors.length }
}

/** Rows with counted keys of their own, and those that get one, are written apart. */
function uniform(place: Place, rows: Map<Column, Cell>[]): Map<Column, Cell>[][] {
  const { auto } = place.type
  if (!auto) return [rows]
  return [rows.filter(row => row.has(auto)), rows.filter(row => !row.has(auto))].filter(group => group.length > 0)
}

function readOne(place: Place, { row, value, problem }: FileRow, errors: RowError[]): Ready | null {
  const { type } = place
  if (problem !== null) {
    errors.push({ row, code: dataErrors.badJson[0], message: problem.slice(0, 300) })
    return null
  }
  try {
    const cells = new Map(readRow(type, withDates(place, value)))
    const sealer = type.columns.some(column => column.isSealed) ? sealerFor(place) : null
    for (const [column, cell] of cells) if (column.isSealed && sealer) cells.set(column, sealer.seal(column, cell))
    const hasKey = type.keys.every(key => cells.has(key))
    return { row, cells, key: hasKey ? keyText(type, column => cells.get(column)) : null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    errors.push({ row, code: error.number, message: error.message.slice(0, 300) })
    return null
  }
}

function withDates({ type }: Place, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const dates = type.columns.filter(column => column.type === 'Date' && Object.hasOwn(value, column.name))
  if (dates.length === 0) return value
  const read: Record<string, unknown> = { ...value }
  for (const { name } of dates) if (typeof read[name] === 'string') read[name] = dateFrom(read[name] as string)
  return read
}
