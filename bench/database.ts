import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  createDatabases,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/server/database/embedded-postgres.ts'

/** A PostgreSQL of its own with durable settings, gone afterwards. */
export async function withDatabase<T>(
  names: readonly string[],
  work: (postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-bench-'))
  const postgres = await startEmbeddedPostgres(folder)
  try {
    await createDatabases(postgres, names)
    return await work(postgres)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
