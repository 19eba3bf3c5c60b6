import { refuse } from '../../../kernel/errors.ts'
import { cloudDb } from './contract.ts'
import { type Database, type DataZone, type TypeModel, tableOf } from './model.ts'
import { prepared, type Runner } from './statements.ts'

const dayMs = 86_400_000

/** What was deleted before this is out of the bin: its days begin with the midnight after it was deleted, UTC. */
export function purgedBefore(days: number, now: number): number {
  return days === 0 ? Number.MAX_SAFE_INTEGER : (Math.floor(now / dayMs) - days) * dayMs
}

function* tablesOf(database: Database): Generator<{ zone: DataZone; type: TypeModel }> {
  for (const zone of database.zones.values()) for (const type of database.types.values()) yield { zone, type }
}

async function countIn(run: Runner, database: Database, before: number): Promise<number> {
  const parts = [...tablesOf(database)].map(
    ({ zone, type }) =>
      `(SELECT count(*) FROM ${tableOf(zone, type)} WHERE naturalbase_deleted AND naturalbase_deletedtime < $1::bigint)`,
  )
  if (parts.length === 0) return 0
  const { rows } = await run.query<{ count: string }>(prepared(`SELECT ${parts.join(' + ')} AS count`, [before]))
  return Number(rows[0]?.count)
}

/** Rows in the bins of a project. */
export const deletedRows = (run: Runner, database: Database): Promise<number> =>
  countIn(run, database, Number.MAX_SAFE_INTEGER)

/** Takes out for good what fewer days leave no room for; refuses until that many rows are confirmed. */
export async function purgeOlderThan(
  run: Runner,
  database: Database,
  days: number,
  now: number,
  confirm: number | undefined,
): Promise<number> {
  if (days >= database.retentionDays) return 0
  const before = purgedBefore(days, now)
  const rows = await countIn(run, database, before)
  if (rows === 0) return 0
  if (confirm !== rows) refuse(cloudDb.errors.confirmPurge, { rows })
  return purge(run, database, before)
}

async function purge(run: Runner, database: Database, before: number): Promise<number> {
  let purged = 0
  for (const { zone, type } of tablesOf(database)) {
    const text = `DELETE FROM ${tableOf(zone, type)} WHERE naturalbase_deleted AND naturalbase_deletedtime < $1::bigint`
    purged += (await run.query(prepared(text, [before]))).rowCount ?? 0
  }
  return purged
}

/** What the days of a bin are over for. */
export async function purgeDue(run: Runner, database: Database, now: number): Promise<number> {
  return database.retentionDays === 0 ? 0 : purge(run, database, purgedBefore(database.retentionDays, now))
}
