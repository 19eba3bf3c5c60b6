import yauzl, { type Entry, type ZipFile } from 'yauzl'

/** Thrown for a workbook that cannot be read; the message says why. */
export class BadWorkbook extends Error {}

/** A cell as it is shown; null is the place of a formula, whose value nobody vouches for. */
export type ReadCell = string | null

const entriesMost = 200
/** Of one part, unpacked: a sheet of a thousand devices has a hundredth of it. */
const partBytesMost = 8 * 1024 ** 2
const columnsMost = 50
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The rows of the first sheet of an XLSX file, at most `rowsMost` of them and what is empty left out. Throws `BadWorkbook`. */
export async function readWorkbook(bytes: Buffer, rowsMost: number): Promise<ReadCell[][]> {
  const zip = await yauzl
    .fromBufferPromise(bytes, { validateEntrySizes: true, strictFileNames: true })
    .catch(error => bad(`it is no XLSX file: ${(error as Error).message}`))
  try {
    const parts = await partsOf(zip)
    const sheets = [...parts.keys()].filter(name => /^xl\/worksheets\/sheet\d+\.xml$/.test(name)).sort(byNumber)
    const sheet = sheets[0] === undefined ? undefined : parts.get(sheets[0])
    if (!sheet) return bad('there is no sheet in it')
    const texts = parts.get('xl/sharedStrings.xml')
    const shared = texts ? itemsOf(await textOf(zip, texts), 'si').map(wordsIn) : []
    const rows: ReadCell[][] = []
    for (const row of itemsOf(await textOf(zip, sheet), 'row')) {
      const cells = cellsOf(row, shared)
      if (cells.length === 0) continue
      if (rows.push(cells) > rowsMost) break
    }
    return rows
  } catch (error) {
    throw error instanceof BadWorkbook ? error : new BadWorkbook((error as Error).message.slice(0, 200))
  } finally {
    zip.close()
  }
}

const bad = (why: string): never => {
  throw new BadWorkbook(why)
}

const byNumber = (one: string, other: string) => Number(/\d+/.exec(one)?.[0]) - Number(/\d+/.exec(other)?.[0])

async function partsOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const parts = new Map<string, Entry>()
  if (zip.entryCount > entriesMost) bad(`it has more than ${entriesMost} parts`)
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, entry)
  return parts
}

async function textOf(zip: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > partBytesMost)
    bad(`${entry.fileName} has more than ${partBytesMost} bytes when unpacked`)
  const parts: Buffer[] = []
  for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  if (text.includes('<!DOCTYPE')) bad('it defines entities of its own')
  return text
}

/** What stands between the tags of each element of a name, one after another: in one go, however the text is made. */
function itemsOf(xml: string, name: string): string[] {
  return xml
    .split(`</${name}>`)
    .slice(0, -1)
    .flatMap(piece => {
      const from = Math.max(piece.lastIndexOf(`<${name}>`), piece.lastIndexOf(`<${name} `))
      return from < 0 ? [] : [piece.slice(piece.indexOf('>', from) + 1)]
    })
}

/** The words of an element: all of its `<t>`, without what is written above characters. */
function wordsIn(xml: string): string {
  const [plain = ''] = xml.split('<rPh')
  return itemsOf(plain, 't').map(decoded).join('')
}

function cellsOf(row: string, shared: readonly string[]): ReadCell[] {
  const cells: ReadCell[] = []
  for (const piece of row.split('<c ').slice(1)) {
    const head = piece.slice(0, piece.indexOf('>'))
    const at = columnOf(/\br="([A-Z]{1,3})\d/.exec(head)?.[1]) ?? cells.length
    if (at >= columnsMost) continue
    while (cells.length < at) cells.push('')
    cells[at] = head.endsWith('/') ? '' : contentOf(piece, /\bt="(\w+)"/.exec(head)?.[1], shared)
  }
  return cells.every(cell => cell === '') ? [] : cells
}

function contentOf(cell: string, kind: string | undefined, shared: readonly string[]): ReadCell {
  if (cell.includes('<f>') || cell.includes('<f ') || cell.includes('<f/')) return null
  if (kind === 'inlineStr') return wordsIn(cell)
  const value = decoded(itemsOf(cell, 'v')[0] ?? '')
  return kind === 's' ? (shared[Number(value)] ?? '') : value
}

function columnOf(letters: string | undefined): number | undefined {
  return letters === undefined
    ? undefined
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function decoded(text: string): string {
  return text
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (all, hex?: string, number?: string, name?: string) => {
      const code = hex ? Number.parseInt(hex, 16) : Number(number)
      return name ? (named[name] ?? all) : code <= 0x10ffff ? String.fromCodePoint(code) : all
    })
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
