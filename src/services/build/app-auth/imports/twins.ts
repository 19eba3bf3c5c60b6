import { eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { userImportKeys } from '../tables.ts'

export interface KeyedRow {
  index: number
  /** What may be only one user’s. */
  keys: readonly string[]
}

/** Which rows, by index, share a key with an earlier row of the same import. */
export type FindTwins = (
  ctx: Context,
  job: { importId: string; teamId: string },
  rows: readonly KeyedRow[],
) => Promise<ReadonlySet<number>>

/** Where all rows of an import are in one batch, which looks at its own. */
export const noTwins: FindTwins = async () => new Set()

/**
 * Remembers the keys of a batch in the database, in the caller’s transaction, and finds those of the batches before: a
 * million rows need no more memory than one batch, and a job that goes on after a crash knows what was before it.
 */
export const twinsInTable: FindTwins = async (ctx, { importId, teamId }, rows) => {
  const pairs = rows.flatMap(({ index, keys }) => keys.map(key => ({ index, key })))
  if (pairs.length === 0) return new Set()
  const { rows: found } = await ctx.transaction(ctx.zone).query<{ index: number }>({
    name: 'app auth import twins',
    text: `WITH sent AS (
        SELECT substr(encode(sha256(convert_to(key, 'UTF8')), 'hex'), 1, 32)::uuid AS key, index
        FROM unnest($3::text[], $4::int[]) AS sent (key, index)
      ), kept AS (
        INSERT INTO app_user_import_keys (import_id, key, index, team_id) SELECT $1, key, index, $2 FROM sent
        ON CONFLICT DO NOTHING
      )
      SELECT sent.index FROM sent JOIN app_user_import_keys earlier
      ON earlier.import_id = $1 AND earlier.key = sent.key AND earlier.index <> sent.index`,
    values: [importId, teamId, pairs.map(one => one.key), pairs.map(one => one.index)],
  })
  return new Set(found.map(one => one.index))
}

export async function forgetTwins(ctx: Context, importId: string): Promise<void> {
  await ctx.db.delete(userImportKeys).where(eq(userImportKeys.importId, importId))
}
