import { Readable } from 'node:stream'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { MasterKey } from '../../../../server/master-key.ts'
import type { JobRun } from '../../../../server/work.ts'
import { storeObject } from '../../../ground/files/public.ts'
import { databaseOf, typeOf, zoneOf } from '../catalogue.ts'
import { cloudDb } from '../contract.ts'
import { type Column, type Place, tableOf } from '../model.ts'
import { readQuery } from '../objects/conditions.ts'
import { conditionSql } from '../objects/sql.ts'
import { fromDatabase, toParameter } from '../objects/values.ts'
import { castOf } from '../schema/ddl.ts'
import { Parameters, poolOf, preparedArrays } from '../statements.ts'
import type { FileFormat } from './contract.ts'
import { writerOf } from './formats.ts'
import { type FileKey, sealed } from './sealed-file.ts'

const pageRows = 2_000
const largestFile = 2 * 1024 ** 3

interface Input {
  projectId: string
  zones: string[]
  types: string[]
  format: FileFormat
  conditions: unknown[]
  /** Where files are encrypted. */
  key?: SealedKey
}

/** The key of files as a job's input holds it. */
interface SealedKey {
  start: string
  key: string
}

const keyPurpose = (projectId: string): string => `cloud-db export ${projectId}`

export function sealKey(masterKey: MasterKey, projectId: string, { key, start }: FileKey): SealedKey {
  const text = start.toString('base64')
  return { start: text, key: masterKey.seal(keyPurpose(projectId), text, key.toString('base64')) }
}

function openKey(masterKey: MasterKey, projectId: string, { key, start }: SealedKey): FileKey {
  const opened = masterKey.open(keyPurpose(projectId), start, key)
  return { start: Buffer.from(start, 'base64'), key: Buffer.from(opened, 'base64') }
}

/** Writes a file for each type and zone; rows are read by their keys, a page at a time, so a table of any size is a stream. */
export async function exportRows(ctx: Context, job: JobRun): Promise<void> {
  const input = job.input as unknown as Input
  const database = await databaseOf(ctx.server, ctx.zone, input.projectId)
  if (!database?.isEnabled) return refuse(cloudDb.errors.notEnabled)
  const done = await ctx.transact(inner => filesOf(inner, job.jobId))
  const all = input.zones.flatMap(zone => input.types.map(type => ({ zone, type })))
  for (const [at, one] of all.entries()) {
    if (at < done) continue
    const place: Place = {
      server: ctx.server,
      zone: ctx.zone,
      database,
      dataZone: zoneOf(database, one.zone),
      type: typeOf(database, one.type),
    }
    await job.progress(`${one.zone} / ${one.type}`, Math.floor((at * 100) / all.length))
    const counted = { rows: 0 }
    const text = textOf(place, input, counted, job.signal)
    const key = input.key && openKey(ctx.server.masterKey, input.projectId, input.key)
    const object = await storeObject(ctx, {
      stream: Readable.from(key ? sealed(key, text) : text),
      fileName: `${one.zone}-${one.type}.${input.format.toLowerCase()}${key ? '.sealed' : ''}`,
      bizTag: 'tmp',
      limitBytes: largestFile,
      heldFor: { appId: '0', projectId: input.projectId },
    })
    const left = leftOut(place)
    const notes = left.length > 0 ? [`${one.type}: ${left.map(column => column.name).join(', ')}`] : []
    await ctx.transact(inner =>
      inner.transaction(inner.zone).query({
        text: `UPDATE cdb_processes SET object_ids = object_ids || to_jsonb($2::text), rows_done = rows_done + $3,
          inserted = inserted + $3, notes = notes || $4::jsonb WHERE process_id = $1`,
        values: [job.jobId, object.objectId, counted.rows, JSON.stringify(notes)],
      }),
    )
  }
  await ctx.transact(inner =>
    inner.transaction(inner.zone).query({
      text: 'UPDATE cdb_processes SET finished_at = $2 WHERE process_id = $1',
      values: [job.jobId, inner.now()],
    }),
  )
}

async function filesOf(ctx: Context, processId: string): Promise<number> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ files: number }>({
    text: 'SELECT jsonb_array_length(object_ids) AS files FROM cdb_processes WHERE process_id = $1',
    values: [processId],
  })
  return rows[0]?.files ?? 0
}

/** What is sensitive or encrypted by the app goes into no file; the report says so. */
const leftOut = ({ type }: Place): Column[] => type.columns.filter(column => column.isSealed || column.isOpaque)

async function* textOf(
  place: Place,
  input: Input,
  counted: { rows: number },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { type, dataZone } = place
  const columns = type.columns.filter(column => !column.isSealed && !column.isOpaque)
  const writer = writerOf(input.format, { zone: dataZone.name, type }, columns)
  const { where } = readQuery(type, input.conditions)
  const keys = type.keys.map(key => key.sql).join(', ')
  const run = poolOf(place.server, place.zone)
  let after: unknown[] | null = null
  yield Buffer.from(writer.head)
  for (;;) {
    signal.throwIfAborted()
    const parameters = new Parameters()
    const asked = conditionSql(where, parameters)
    const behind: string = after
      ? ` AND (${keys}) > (${type.keys.map((key, at) => `${parameters.add(after?.[at])}::${castOf(key)}`).join(', ')})`
      : ''
    const text = `SELECT ${columns.map(column => column.sql).join(', ')} FROM ${tableOf(dataZone, type)}
      WHERE NOT naturalbase_deleted AND ${asked}${behind} ORDER BY ${keys} LIMIT ${pageRows}`
    const page: unknown[][] = (await run.query<never>(preparedArrays(text, parameters.values))).rows
    let part = ''
    for (const row of page) part += writer.row(columns.map((column, at) => fromDatabase(column, row[at])))
    counted.rows += page.length
    if (part !== '') yield Buffer.from(part)
    const last = page.at(-1)
    if (!last || page.length < pageRows) break
    after = type.keys.map(key => toParameter(key, fromDatabase(key, last[columns.indexOf(key)])))
  }
  yield Buffer.from(writer.tail)
}
