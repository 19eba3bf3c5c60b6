/** The table of advisories in a document: each row names a test, and the test is there under that name. */

export interface AdvisoryRow {
  advisory: string
  /** From the root. */
  file: string
  /** The name of the test as its file writes it, or of the group that it stands in. */
  name: string
}

/** The rows of the table: the first cell names advisories, the last one `file` and the test's name. */
export function advisoryRows(document: string): AdvisoryRow[] {
  const lines = document.split('\n').filter(line => line.startsWith('|'))
  return lines.slice(2).map(line => {
    const cells = line.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'))
    const found = /^`([^`]+)`: (.+)$/.exec(cells.at(-2) ?? '')
    return { advisory: cells[1] ?? '', file: found?.[1] ?? '', name: found?.[2] ?? '' }
  })
}

/** A sentence stands as the name of a test, which is what a parenthesis opens with and a comma ends. */
export function isTestNamed(source: string, sentence: string): boolean {
  return ["'", '"', '`'].some(quote => {
    const written = sentence.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
    const at = source.search(new RegExp(`\\(\\s*${escaped(quote + written + quote)}\\s*,`))
    return at >= 0 && !/\b(?:it|test|describe)\.(?:skip|todo|fails)(?:\.each)?$/.test(source.slice(0, at))
  })
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What is wrong with the table; `read` gives the text of a file, or null where there is none. */
export function advisoryProblems(document: string, read: (file: string) => string | null): string[] {
  const rows = advisoryRows(document)
  if (rows.length === 0) return ['the table of advisories is empty']
  return rows.flatMap(({ advisory, file, name }) => {
    if (advisory === '') return ['a row names no advisory']
    if (file === '' || name === '') return [`${advisory}: the last cell is \`file\`: name of the test`]
    const source = /\.test\.tsx?$/.test(file) ? read(file) : null
    if (source === null) return [`${advisory}: there is no file of tests ${file}`]
    return isTestNamed(source, name) ? [] : [`${advisory}: ${file} has no test named: ${name}`]
  })
}
