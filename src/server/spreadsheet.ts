import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import writeXlsxFile from 'write-excel-file/node'
import { type Cell, csvCell, type SheetFormat, xlsxCell } from '../kernel/cells.ts'
import { commonErrors, refuse } from '../kernel/errors.ts'
import type { Download } from './implement.ts'

export interface Sheet {
  /** Without its ending, plain ASCII: `members-2026-11-22`. */
  fileName: string
  /** The first row, in the reader's language. */
  columns: readonly string[]
  rows: AsyncIterable<readonly Cell[]>
}

/** An XLSX file is put together in memory, in one go: more rows would hold up other calls. A CSV file is sent as it is read and has no end. */
export const xlsxRowsMost = 5_000
/** What a cell of a spreadsheet program holds; what is longer is cut. */
const cellLengthMost = 32_767

const mimes: Readonly<Record<SheetFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/**
 * A list as a file, each cell escaped as the specification says. What the first rows refuse is refused as an answer;
 * CSV is then read no faster than it is fetched. Refuses an XLSX file of more than `xlsxRowsMost` rows.
 */
export async function spreadsheet(format: SheetFormat, sheet: Sheet): Promise<Download> {
  const body = format === 'csv' ? await csvOf(sheet) : await xlsxOf(sheet)
  return {
    headers: {
      'content-type': mimes[format],
      'content-disposition': `attachment; filename="${sheet.fileName}.${format}"`,
      'cache-control': 'no-store',
    },
    body,
  }
}

/** Rows out of pages of a list: `read` is given the cursor of the page before, which answers null after the last one. */
export async function* rowsOfPages<Item, Row>(
  read: (cursor: string | undefined) => Promise<{ list: readonly Item[]; nextCursor: string | null }>,
  rowOf: (item: Item) => Row,
): AsyncGenerator<Row, void, undefined> {
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    for (const item of page.list) yield rowOf(item)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

async function csvOf({ columns, rows }: Sheet): Promise<Readable> {
  const reading = rows[Symbol.asyncIterator]()
  const first = await reading.next()
  async function* all(): AsyncGenerator<readonly Cell[], void, undefined> {
    try {
      yield columns
      for (let next = first; !next.done; next = await reading.next()) yield next.value
    } finally {
      await reading.return?.()
    }
  }
  // The cells come quoted: csv-stringify makes records of them, with the mark that tells Excel of UTF-8.
  const file = stringify({
    bom: true,
    record_delimiter: 'windows',
    quote: '',
    escape: '',
    cast: { string: csvCell, number: value => csvCell(String(value)) },
  })
  const source = Readable.from(all())
  source.on('error', error => file.destroy(error))
  file.on('close', () => source.destroy())
  return source.pipe(file)
}

async function xlsxOf({ columns, rows }: Sheet): Promise<Buffer> {
  const data: (string | number | null)[][] = []
  for await (const row of rows) {
    if (data.length === xlsxRowsMost) refuse(commonErrors.tooManyRows, { limit: xlsxRowsMost })
    data.push(row.map(xlsxValue))
  }
  const head = columns.map(name => ({ value: xlsxText(name), type: String, fontWeight: 'bold' as const }))
  return writeXlsxFile([head, ...data], { stickyRowsCount: 1, columns: columns.map(() => ({ width: 22 })) }).toBuffer()
}

function xlsxValue(value: Cell): Cell {
  if (typeof value === 'string') return value === '' ? null : xlsxText(value)
  // XLSX has neither infinity nor what is no number.
  return typeof value === 'number' && !Number.isFinite(value) ? null : value
}

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))

/**
 * The text as XLSX holds it: `_x0041_` would be read as A, half a surrogate pair makes the file unreadable, and the
 * writer looks texts up in a plain object, so one that every object has is told apart by a NUL, which it then drops.
 */
function xlsxText(text: string): string {
  const cell = xlsxCell(text).slice(0, cellLengthMost).toWellFormed()
  const kept = cell.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
  return inherited.has(kept) ? `${kept}\u0000` : kept
}
