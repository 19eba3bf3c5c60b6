import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const memory = '/dev/shm'
/** What a run leaves there at most: a few clusters with their logs. */
const roomForRun = 8 * 2 ** 30

/** A database is a thousand small files, which a disk makes ten times as slowly as memory does. */
function quickestPlace(): string {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize >= roomForRun) return memory
  } catch {}
  return os.tmpdir()
}

/**
 * A new data folder of a test, which removes it when it is done: `/dev/shm/loggia-NAME-x1y2z3`. It is open to all users
 * as far as reading goes, for PostgreSQL is never root: in a closed one its files would go to a folder elsewhere, and stay.
 *
 * @param place where else it has to be: on the disk, for what is measured or linked to
 */
export function temporaryDataFolder(name: string, place = quickestPlace()): string {
  const folder = mkdtempSync(path.join(place, `loggia-${name}-`))
  chmodSync(folder, 0o755)
  return folder
}
