import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvCell, xlsxCell } from './cells.ts'

describe('a cell of an XLSX export', () => {
  it.each([
    ['=1+1', '"\t=1+1"'],
    ['+49 30', '"\t+49 30"'],
    ['-5', '"\t-5"'],
    ['@SUM(A1)', '"\t@SUM(A1)"'],
    ['=', '"\t="'],
    ['-', '"\t-"'],
    ['=a"b"', '"\t=a"b""'],
    ['a=b', 'a=b'],
    ['a', 'a'],
    ['', ''],
    [' =1', ' =1'],
    ['2026-01-01', '2026-01-01'],
    ['＝1', '＝1'],
  ])('starting with =, +, - or @ is wrapped in quotes with a leading tab: %j is %j', (text, cell) =>
    expect(xlsxCell(text)).toBe(cell),
  )
})

describe('a cell of a CSV export', () => {
  it.each([
    ['a=b"c', '"\ta=b""c"'],
    ['2026-01-01', '"\t2026-01-01"'],
    ['-5', '"\t-5"'],
    ['=', '"\t="'],
    ['@', '"\t@"'],
    ['mira@example.com', '"\tmira@example.com"'],
    ['x,y=z', '"\tx,y=z"'],
    ['=\n', '"\t=\n"'],
  ])(
    'with =, +, - or @ anywhere is wrapped in quotes with a leading tab, inner double quotes doubled: %j',
    (text, cell) => expect(csvCell(text)).toBe(cell),
  )

  it.each([
    ['', ''],
    ['a', 'a'],
    ['x,y', '"x,y"'],
    ['"', '""""'],
    ['two\nlines', '"two\nlines"'],
    ['\r', '"\r"'],
    [' kept ', ' kept '],
  ])('without them is quoted only where RFC 4180 asks for it: %j', (text, cell) => expect(csvCell(text)).toBe(cell))

  it('never begins with a sign that a spreadsheet program takes for a formula', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'=+-@"\t,a\n') }), text => {
        const read = csvCell(text)
          .replace(/^"(.*)"$/s, '$1')
          .replaceAll('""', '"')
        expect(read.startsWith('\t') && /[=+\-@]/.test(text) ? read.slice(1) : read).toBe(text)
        expect(read).not.toMatch(/^[=+\-@]/)
      }),
    )
  })
})
