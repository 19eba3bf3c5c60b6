import type { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { deviceTypes, limits } from '../rules.ts'
import type { GivenDevice } from './adding.ts'
import { devicesContract } from './contract.ts'
import { BadWorkbook, type ReadCell, readWorkbook } from './workbook.ts'

const { errors } = devicesContract
const columns = ['devicename', 'udid', 'devicetype'] as const
/** A file has a line of names above the devices. */
const rowsMost = limits.devicesAtOnce + 1

/** The devices of a CSV or XLSX file, told apart by its first bytes. Refuses 413 and 422. */
export async function devicesOfFile(stream: Readable): Promise<GivenDevice[]> {
  const bytes = await collected(stream)
  const isWorkbook = bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004'
  const rows = isWorkbook ? await ofWorkbook(bytes) : ofText(bytes)
  const [first] = rows
  if (!first) refuse(errors.fileUnreadable, { reason: 'there is nothing in it' })
  const names = first.cells.map(cell => (cell ?? '').trim().toLowerCase())
  const isNamed = columns.some(name => names.includes(name))
  const places = columns.map((name, at) => (isNamed ? names.indexOf(name) : at))
  if (places.includes(-1)) {
    refuse(errors.fileUnreadable, { reason: 'its first line names deviceName, udid and deviceType, or it has none' })
  }
  const found = rows.slice(isNamed ? 1 : 0)
  if (found.length > limits.devicesAtOnce) refuse(errors.fileTooLong, { limit: limits.devicesAtOnce })
  if (found.length === 0) refuse(errors.fileUnreadable, { reason: 'there is no device in it' })
  return found.map(row => deviceOf(row, places))
}

interface Row {
  line: number
  cells: ReadCell[]
}

function deviceOf({ line, cells }: Row, places: readonly number[]): GivenDevice {
  const [name, udid, type] = places.map(at => cells[at] ?? (cells[at] === null ? null : ''))
  const word = (type ?? '').trim().toLowerCase()
  const deviceType = deviceTypes[word as keyof typeof deviceTypes] ?? Number(word || Number.NaN)
  const hasFormula = [name, udid, type].includes(null)
  return {
    line,
    deviceName: (name ?? '').trim(),
    udid: (udid ?? '').trim(),
    deviceType: Number.isInteger(deviceType) ? deviceType : 0,
    ...(hasFormula ? { problem: 'a cell of it is a formula; write what it comes to' } : {}),
  }
}

async function collected(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    size += (part as Buffer).length
    if (size > limits.importBytes) refuse(commonErrors.tooLarge, { limitBytes: limits.importBytes })
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}

async function ofWorkbook(bytes: Buffer): Promise<Row[]> {
  try {
    return (await readWorkbook(bytes, rowsMost)).map((cells, at) => ({ line: at + 1, cells }))
  } catch (error) {
    if (!(error instanceof BadWorkbook)) throw error
    return refuse(errors.fileUnreadable, { reason: error.message })
  }
}

function ofText(bytes: Buffer): Row[] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const rows = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: rowsMost + 1,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    return refuse(errors.fileUnreadable, { reason: (error as Error).message.slice(0, 200) })
  }
}
