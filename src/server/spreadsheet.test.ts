import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cell, csvCell, type SheetFormat, xlsxCell } from '../kernel/cells.ts'
import { hasPython, readSheet } from '../testkit/sheet.ts'
import type { Download } from './implement.ts'
import { rowsOfPages, spreadsheet, xlsxRowsMost } from './spreadsheet.ts'

async function* each<T>(rows: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* rows
}

const bytesOf = ({ body }: Download) => (body instanceof Readable ? buffer(body) : Promise.resolve(body as Buffer))

async function made(format: SheetFormat, rows: Iterable<readonly Cell[]>, columns: string[]): Promise<Buffer> {
  return bytesOf(await spreadsheet(format, { fileName: 'list', columns, rows: each(rows) }))
}

const nasty = [
  '=HYPERLINK("http://evil.example","open")',
  '+7 900 000-00-00',
  '-2+3',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '\t=1',
  'a=b"c',
  'x,y;z',
  'two\nlines',
  '李娜 & <Ольга>',
  '😀',
  '_x0041_',
  'constructor',
  '__proto__',
  ' kept ',
  '=',
  'a',
]

describe('a CSV file', () => {
  it('has the mark of UTF-8, the columns, then a record a row', async () => {
    const bytes = await made(
      'csv',
      [
        ['a', 1, null],
        ['-', -5, ''],
      ],
      ['Name', 'Count', 'Note'],
    )
    expect(bytes.toString()).toBe('\uFEFFName,Count,Note\r\na,1,\r\n"\t-","\t-5",\r\n')
  })

  it('is the cells of the rule, in the records of RFC 4180, whatever stands in them', async () => {
    const row = fc.array(fc.string({ unit: fc.constantFrom(...'=+-@"\t,a\n\r;б') }), { minLength: 2, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async rows => {
        const bytes = await made('csv', rows, ['a', 'b'])
        const wanted = [['a', 'b'], ...rows].map(cells => `${cells.map(csvCell).join(',')}\r\n`)
        expect(bytes.toString().slice(1)).toBe(wanted.join(''))
        const guarded = rows.map(cells => cells.map(one => (/[=+\-@]/.test(one) ? `\t${one}` : one)))
        const others = stringify([['a', 'b'], ...guarded], {
          record_delimiter: 'windows',
          quoted_match: /[=+\-@]/,
          quote_record_delimiter: true,
        })
        expect(bytes.toString().slice(1)).toBe(others)
      }),
    )
  })

  it.skipIf(!hasPython)(
    'is read by another program as it was written, a tab before what could be a formula',
    async () => {
      const read = readSheet(
        'csv',
        await made(
          'csv',
          nasty.map(one => [one, 7]),
          ['=Name', 'Count'],
        ),
      )
      const wanted = nasty.map(one => [/[=+\-@]/.test(one) ? `\t${one}` : one, '7'])
      expect(read).toEqual([['\t=Name', 'Count'], ...wanted])
    },
  )

  it('is read from the list no faster than it is fetched, and no further than it is', async () => {
    let [given, isClosed] = [0, false]
    async function* endless() {
      try {
        for (;;) yield [`row ${given++}`, 'x'.repeat(100)]
      } finally {
        isClosed = true
      }
    }
    const { body } = await spreadsheet('csv', { fileName: 'list', columns: ['a', 'b'], rows: endless() })
    const file = body as Readable
    await new Promise(resolve => file.once('readable', resolve))
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(given).toBeLessThan(5_000)
    file.destroy()
    await expect.poll(() => isClosed).toBe(true)
  })

  it('that fails before its first row is a refusal, and later a file that is cut off', async () => {
    async function* failing(after: number) {
      for (let at = 0; at < after; at++) yield ['row']
      throw new Error('the list is gone')
    }
    const sheet = (after: number) => ({ fileName: 'list', columns: ['a'], rows: failing(after) })
    await expect(spreadsheet('csv', sheet(0))).rejects.toThrow('the list is gone')
    const { body } = await spreadsheet('csv', sheet(3))
    await expect(text(body as Readable)).rejects.toThrow('the list is gone')
  })
})

describe('an XLSX file', () => {
  it.skipIf(!hasPython)(
    'is read by another program as it was written, with what could be a formula in quotes',
    async () => {
      const rows = nasty.map((one, at) => [one, at - 3, null])
      const read = readSheet('xlsx', await made('xlsx', rows, ['=Name', 'Count', 'Note']))
      const wanted = nasty.map((one, at) => [xlsxCell(one), at - 3])
      expect(read).toEqual([['"\t=Name"', 'Count', 'Note'], ...wanted])
    },
  )

  it.skipIf(!hasPython)('holds numbers as numbers, and no formula', async () => {
    const bytes = await made(
      'xlsx',
      [
        [-5, '-5'],
        [0.1, '=1'],
        [Number.NaN, ''],
        [2 ** 53, '\uD83Dx'],
      ],
      ['a', 'b'],
    )
    expect(readSheet('xlsx', bytes).slice(1)).toEqual([[-5, '"\t-5"'], [0.1, '"\t=1"'], [], [2 ** 53, 'x']])
  })

  it('has at most so many rows, and says what to do', async () => {
    const rows = Array.from({ length: xlsxRowsMost + 1 }, (_, at) => [at])
    await expect(made('xlsx', rows, ['a'])).rejects.toThrow(`An XLSX file has at most ${xlsxRowsMost} rows here`)
    expect((await made('xlsx', rows.slice(1), ['a'])).length).toBeGreaterThan(1000)
  })
})

describe('a list', () => {
  it('is read page by page to its end', async () => {
    const asked: (string | undefined)[] = []
    const read = async (cursor: string | undefined) => {
      asked.push(cursor)
      const at = Number(cursor ?? 0)
      return { list: [at, at + 1], nextCursor: at < 4 ? String(at + 2) : null }
    }
    const rows: number[] = []
    for await (const row of rowsOfPages(read, item => item * 10)) rows.push(row)
    expect(rows).toEqual([0, 10, 20, 30, 40, 50])
    expect(asked).toEqual([undefined, '2', '4'])
  })
})

it('a file is sent as one to keep, and by nobody else', async () => {
  const { headers } = await spreadsheet('csv', { fileName: 'members-2026-11-22', columns: ['a'], rows: each([]) })
  expect(headers).toEqual({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="members-2026-11-22.csv"',
    'cache-control': 'no-store',
  })
})
