import type { Context } from '../../../server/context.ts'
import { storedBefore } from '../../../server/engines/bytes/walk.ts'
import type { Work } from '../../../server/work.ts'
import { filesHandover } from './handover.ts'
import { leaveToCollector, lockBytes } from './queries.ts'
import { fileLimits, statesBefore } from './rules.ts'
import { checkJob } from './tasks/checking.ts'
import { fetchJob } from './tasks/fetching.ts'
import { taskLimits } from './tasks/rules.ts'
import { videoJob } from './tasks/video-job.ts'

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
  const { rows } = await ctx.transact(inner =>
    inner.transaction(inner.zone).query<{ upload_id: string }>({
      text: `WITH gone AS (DELETE FROM file_objects WHERE object_id IN
          (SELECT object_id FROM file_objects WHERE state = 'DELETED' AND expire_at <= $1 LIMIT $2) RETURNING object_id),
        done AS (SELECT u.upload_id FROM file_uploads u JOIN file_objects f USING (object_id)
          WHERE f.state IN ('TEMP', 'NORMAL') AND f.created_at <= $3 LIMIT $2)
        DELETE FROM file_uploads WHERE object_id IN (SELECT object_id FROM gone)
          OR upload_id IN (SELECT upload_id FROM done) RETURNING upload_id`,
      values: [ctx.now(), batch, ctx.now() - fileLimits.uploadLifeMs],
    }),
  )
  // Whoever ended the upload took its parts away, unless it was killed in between.
  for (const { upload_id: uploadId } of rows) await ctx.server.bytes(ctx.zone).dropParts(uploadId)
  await forgetTasks(ctx)
}

async function forgetTasks(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `DELETE FROM file_tasks WHERE task_id IN (SELECT task_id FROM file_tasks WHERE created_at <= $1 LIMIT $2)`,
    values: [ctx.now() - taskLimits.taskLifeMs, batch],
  })
  await ctx.transaction(ctx.zone).query({
    text: `DELETE FROM file_checks WHERE object_id IN (SELECT c.object_id FROM file_checks c
      LEFT JOIN file_objects f USING (object_id) WHERE f.object_id IS NULL AND c.checked_at <= $1 LIMIT $2)`,
    values: [ctx.now() - fileLimits.deletedRowLifeMs, batch],
  })
}

/**
 * Finds bytes that no row names: a process was killed between their arrival and the row. What came within a day may
 * still get one; the rest goes the way of every content without an object.
 */
async function findOrphans(ctx: Context): Promise<void> {
  const before = ctx.now() - fileLimits.orphanAfterMs
  for await (const old of storedBefore(ctx.server.bytes(ctx.zone), before)) {
    await ctx.transact(inner => leaveOrphans(inner, old))
  }
}

async function leaveOrphans(ctx: Context, contents: readonly string[]): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `INSERT INTO file_garbage (sha256, due_at) SELECT one.sha256, $2 FROM unnest($1::text[]) AS one(sha256)
      WHERE NOT EXISTS (SELECT FROM file_objects f WHERE f.sha256 = one.sha256 AND f.state IN ('TEMP', 'NORMAL'))
      ON CONFLICT DO NOTHING`,
    values: [contents, ctx.now()],
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
  handover: filesHandover,
  jobs: [fetchJob, checkJob, videoJob],
  sweeps: [
    { name: 'files.expire', every: '17 * * * * *', database: 'zone', run: expireObjects },
    { name: 'files.orphans', every: '41 23 3 * * *', database: 'zone', run: findOrphans },
    { name: 'files.collect', every: '37 * * * * *', database: 'zone', run: collectGarbage },
  ],
} satisfies Work
