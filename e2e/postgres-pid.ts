import { readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The pid of the database server over a data folder, or null when none runs. Its file is there before it is written,
 * and an empty one must never become the pid 0, which is everybody of our own process group.
 */
export function postgresPidOf(dataDir: string): number | null {
  try {
    const [line = ''] = readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
    if (!/^[1-9][0-9]*$/.test(line)) return null
    process.kill(Number(line), 0)
    return Number(line)
  } catch {
    return null
  }
}

/** Ends the database server over a data folder without a warning; false where it is just being started again. */
export function killPostgresOf(dataDir: string): boolean {
  const pid = postgresPidOf(dataDir)
  return pid !== null && process.kill(pid, 'SIGKILL')
}
