import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { refuse } from '../../../../kernel/errors.ts'
import type { Cell, Column, TypeModel } from '../model.ts'
import { isNumeric } from '../schema/rules.ts'
import { cloudDbTransfer, type FileFormat } from './contract.ts'

/** A row of a file by its number, the first is 1; `problem` where it is no row at all. */
export interface FileRow {
  row: number
  value: unknown
  problem: string | null
}

/** The rows of a file one after another, however many there are; JSON is read whole, as it is one value. */
export async function* rowsIn(stream: Readable, format: FileFormat, type: TypeModel): AsyncGenerator<FileRow> {
  if (format === 'NDJSON') yield* linesIn(stream)
  else if (format === 'CSV') yield* recordsIn(stream, type)
  else
    for (const [at, value] of (readWhole(await textOf(stream)).objects ?? []).entries())
      yield { row: at + 1, value, problem: null }
}

/** The field's own form: `{ cloudDBZoneName, objectTypeName, objects: [...] }`. */
export function readWhole(text: string): { cloudDBZoneName?: string; objectTypeName?: string; objects?: unknown[] } {
  const unreadable = (reason: string) => refuse(cloudDbTransfer.errors.importUnreadable, { format: 'JSON', reason })
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    return unreadable((error as Error).message)
  }
  if (Array.isArray(read)) return { objects: read }
  if (typeof read !== 'object' || read === null || !Array.isArray((read as { objects?: unknown }).objects)) {
    return unreadable('it is an object with a list named objects')
  }
  return read as { objects: unknown[] }
}

async function textOf(stream: Readable): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

async function* linesIn(stream: Readable): AsyncGenerator<FileRow> {
  let row = 0
  for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    row++
    if (line.trim() === '') continue
    try {
      yield { row, value: JSON.parse(line) as unknown, problem: null }
    } catch (error) {
      yield { row, value: null, problem: (error as Error).message }
    }
  }
}

async function* recordsIn(stream: Readable, type: TypeModel): AsyncGenerator<FileRow> {
  const parser = stream.pipe(
    parse({
      columns: true,
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: 4 * 1024 * 1024,
    }),
  )
  let row = 0
  for await (const record of parser as AsyncIterable<Record<string, string>>) {
    row++
    const value: Record<string, unknown> = Object.create(null)
    for (const [name, text] of Object.entries(record)) {
      const column = type.byName.get(name)
      value[name] = column ? fromText(column, unescaped(text)) : text
    }
    yield { row, value, problem: null }
  }
}

/** A cell of a CSV file as a value of its field; what is no value goes on as it is, to be refused with its row. */
function fromText(column: Column, text: string): unknown {
  if (text === '' && !isEmptyText(column)) return null
  if (text === nothing) return null
  if (column.isOpaque) return text
  if (column.isLong) return text
  if (isNumeric(column.type)) return /^-?[0-9.eE+-]+$/.test(text) ? Number(text) : text
  if (column.type === 'Boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (column.type === 'Date') return /^-?\d+$/.test(text) ? Number(text) : dateFrom(text)
  return text
}

/** Dates as numbers, or as the public client is answered them. */
export function dateFrom(text: string): unknown {
  const own = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (\d{3})$/.exec(text)
  const at = Date.parse(own ? `${own[1]}T${own[2]}.${own[3]}Z` : text)
  return Number.isNaN(at) ? text : at
}

/** Whether a value can be the empty text, so that nothing must be written otherwise. */
const isEmptyText = ({ type }: Column): boolean => type === 'String' || type === 'Text' || type === 'ByteArray'
/** An empty value beside the empty text. */
const nothing = '\\N'
/** Spreadsheet programs run what begins so; a quote before it is taken away again when the file comes back. */
const dangerous = /^[=+\-@\t\r']/
const escaped = (text: string): string => (dangerous.test(text) ? `'${text}` : text)
const unescaped = (text: string): string =>
  text.startsWith("'") && dangerous.test(text.slice(1)) ? text.slice(1) : text

/** Writes rows as one format takes them. */
export function writerOf(format: FileFormat, place: { zone: string; type: TypeModel }, columns: readonly Column[]) {
  const { zone, type } = place
  if (format === 'CSV') {
    return {
      head: stringify([columns.map(column => column.name)]),
      row: (cells: readonly Cell[]) => stringify([cells.map((cell, at) => cellText(columns[at] as Column, cell))]),
      tail: '',
    }
  }
  const object = (cells: readonly Cell[]) =>
    JSON.stringify(Object.fromEntries(columns.map((column, at) => [column.name, cells[at]])))
  if (format === 'NDJSON') return { head: '', row: (cells: readonly Cell[]) => `${object(cells)}\n`, tail: '' }
  let isFirst = true
  return {
    head: `{"cloudDBZoneName":${JSON.stringify(zone)},"objectTypeName":${JSON.stringify(type.name)},"objects":[\n`,
    row: (cells: readonly Cell[]) => {
      const comma = isFirst ? '' : ',\n'
      isFirst = false
      return comma + object(cells)
    },
    tail: '\n]}\n',
  }
}

function cellText(column: Column, cell: Cell): string {
  if (cell === null) return isEmptyText(column) ? nothing : ''
  return typeof cell === 'string' && !column.isLong ? escaped(cell) : String(cell)
}
