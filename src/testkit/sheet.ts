import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { SheetFormat } from '../kernel/cells.ts'

const python = '/usr/bin/python3'
/** Without it the tests that read files with it are skipped: apt-get install python3. */
export const hasPython = existsSync(python)

/** The rows of a CSV or XLSX file, read with what Python brings: it shares no line with the writers. */
export function readSheet(format: SheetFormat, bytes: Buffer): unknown[][] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-sheet-'))
  try {
    const file = path.join(folder, `sheet.${format}`)
    writeFileSync(file, bytes)
    const script = new URL('./read-sheet.py', import.meta.url).pathname
    return JSON.parse(execFileSync(python, [script, file], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
