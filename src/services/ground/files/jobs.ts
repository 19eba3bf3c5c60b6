import type { Context } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { leaveToCollector, lockBytes } from './queries.ts'
import { fileLimits, statesBefore } from './rules.ts'

const batch = 500

/** Ends objects nobody came back for: addresses after an hour, unreferenced files after a day, uploads after a week. */
async function expireObjects(ctx: Context): Promise<void> {
  for (;;) {
    const ended = await ctx.transact(endSome)
    for (const { upload_id: uploadId } of ended) {
      if (uploadId !== null) await ctx.server.bytes(ctx.zone).dropParts(uploadId)
    }
    if (ended.length < batch) break
  }
  await ctx.transaction(ctx.zone).query({
    text: `WITH gone AS (DELETE FROM file_objects WHERE object_id IN
        (SELECT object_id FROM file_objects WHERE state = 'DELETED' AND expire_at <= $1 LIMIT $2) RETURNING object_id)
      DELETE FROM file_uploads WHERE object_id IN (SELECT object_id FROM gone)`,
    values: [ctx.now(), batch],
  })
}

async function endSome(ctx: Context) {
  const now = ctx.now()
  const { rows } = await ctx.transaction(ctx.zone).query<{
    object_id: string
    team_id: string
    sha256: string | null
    upload_id: string | null
  }>({
    text: `WITH due AS (SELECT object_id, state FROM file_objects WHERE expire_at <= $1 AND state = ANY($2)
          LIMIT $3 FOR UPDATE SKIP LOCKED),
        parts AS (DELETE FROM file_parts p USING file_uploads u, due d
          WHERE u.object_id = d.object_id AND d.state = 'UPLOADING' AND p.upload_id = u.upload_id)
      UPDATE file_objects f SET state = 'DELETED', expire_at = $4, updated_at = $1, revision = f.revision + 1
      FROM due LEFT JOIN file_uploads u ON u.object_id = due.object_id AND due.state = 'UPLOADING'
      WHERE f.object_id = due.object_id
      RETURNING f.object_id, f.team_id, CASE WHEN due.state = 'TEMP' THEN f.sha256 END AS sha256, u.upload_id`,
    values: [now, statesBefore('expire'), batch, now + fileLimits.deletedRowLifeMs],
  })
  await leaveToCollector(
    ctx,
    rows.map(row => row.sha256),
  )
  for (const { object_id: entityId, team_id: teamId } of rows) {
    ctx.emit({ type: 'file.expired', entity: 'file', entityId, teamId })
  }
  return rows
}

/** Removes bytes that no object has any more. */
async function collectGarbage(ctx: Context): Promise<void> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ sha256: string }>({
    text: 'SELECT sha256 FROM file_garbage WHERE due_at <= $1 ORDER BY due_at LIMIT $2',
    values: [ctx.now(), batch],
  })
  for (const { sha256 } of rows) await ctx.transact(inner => collectOne(inner, sha256))
}

/** The lock keeps an upload of the same content from making an object between the look and the removal. */
async function collectOne(ctx: Context, sha256: string): Promise<void> {
  await lockBytes(ctx, sha256)
  const transaction = ctx.transaction(ctx.zone)
  const { rows } = await transaction.query({
    text: `SELECT 1 FROM file_objects WHERE sha256 = $1 AND state IN ('TEMP', 'NORMAL') LIMIT 1`,
    values: [sha256],
  })
  if (rows.length === 0) await ctx.server.bytes(ctx.zone).remove(sha256)
  await transaction.query('DELETE FROM file_garbage WHERE sha256 = $1', [sha256])
}

export default {
  sweeps: [
    { name: 'files.expire', every: '17 * * * * *', database: 'zone', run: expireObjects },
    { name: 'files.collect', every: '37 * * * * *', database: 'zone', run: collectGarbage },
  ],
} satisfies Work
