/** A line of a file of people; `line` counts from 1, as editors do. */
export interface PersonLine {
  line: number
  account: string
  nickname: string
  group: string
}

export type CsvFault = 'header' | 'quote' | 'empty'

interface Cells {
  line: number
  cells: string[]
}

/** The records of a CSV text (RFC 4180); null where a quote is not closed. Blank lines are left out. */
function recordsOf(csv: string, separator: string): Cells[] | null {
  const records: Cells[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let begun = 1
  const endCell = () => {
    cells.push(cell)
    cell = ''
  }
  const endRecord = () => {
    endCell()
    if (cells.some(one => one.trim() !== '')) records.push({ line: begun, cells })
    cells = []
  }
  for (let at = 0; at < csv.length; at++) {
    const sign = csv[at] ?? ''
    if (sign === '\n') line++
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (csv[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell.trim() === '') {
      isQuoted = true
      cell = ''
    } else if (sign === separator) endCell()
    else if (sign === '\n') {
      endRecord()
      begun = line
    } else if (sign !== '\r') cell += sign
  }
  if (isQuoted) return null
  endRecord()
  return records
}

/**
 * The people of a CSV file with the header `account,nickname` and, where each line names its group, `group`; in any
 * order, with commas, semicolons or tabs. What our own export escaped comes back as it was.
 */
export function readPeople(csv: string, wantsGroup: boolean): { people: PersonLine[] } | { fault: CsvFault } {
  const text = csv.replace(/^\uFEFF/, '')
  const head = text.slice(0, Math.max(0, text.search(/[\r\n]|$/)))
  const separator = [',', ';', '\t'].find(one => head.includes(one)) ?? ','
  const records = recordsOf(text, separator)
  if (!records) return { fault: 'quote' }
  const names = (records[0]?.cells ?? []).map(name => plain(name).toLowerCase())
  const [account, nickname, group] = ['account', 'nickname', 'group'].map(name => names.indexOf(name))
  if (account === undefined || account < 0 || (wantsGroup && (group ?? -1) < 0)) return { fault: 'header' }
  const people = records.slice(1).map(({ line, cells }) => {
    const at = (column: number | undefined) => (column === undefined || column < 0 ? '' : plain(cells[column] ?? ''))
    return { line, account: at(account), nickname: at(nickname), group: wantsGroup ? at(group) : '' }
  })
  return people.length === 0 ? { fault: 'empty' } : { people }
}

/** Without what an export puts in front of a formula: a tab, which trimming takes, and control characters. */
function plain(cell: string): string {
  return cell.replace(/\p{Cc}+/gu, ' ').trim()
}
