import { chmodSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * A new data folder of a test, which removes it when it is done: `/tmp/loggia-NAME-x1y2z3`. It is open to all users as
 * far as reading goes, for PostgreSQL is never root: in a closed one its files would go to a folder elsewhere, and stay.
 */
export function temporaryDataFolder(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `loggia-${name}-`))
  chmodSync(folder, 0o755)
  return folder
}
