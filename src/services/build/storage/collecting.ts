import type { Context } from '../../../server/context.ts'
import { storedBefore } from '../../../server/engines/bytes/walk.ts'
import { forgetGarbage, isUnnamed } from './objects/replaced.ts'
import { limits, uploadStatesBefore } from './rules.ts'

const batch = 500

/** Removes bytes whose time has come and that no row names. */
export async function collectGarbage(ctx: Context): Promise<void> {
  const engine = ctx.server.bytes(ctx.zone, 'storage')
  for (;;) {
    const taken = await ctx.transact(inner => takeDue(inner))
    for (const { blob, isFree } of taken) if (isFree) await engine.remove(blob)
    await ctx.transact(inner =>
      forgetGarbage(
        inner,
        taken.map(one => one.blob),
      ),
    )
    if (taken.length < batch) return
  }
}

async function takeDue(ctx: Context): Promise<{ blob: string; isFree: boolean }[]> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ blob: string; isFree: boolean }>({
    text: `SELECT g.blob, ${isUnnamed('g.blob')} AS "isFree" FROM storage_garbage g WHERE g.due_at <= $1 ORDER BY g.due_at LIMIT $2`,
    values: [ctx.now(), batch],
  })
  return rows
}

/** Bytes that no row names: a process was killed between their arrival and the row. What came lately may still get one. */
export async function findOrphans(ctx: Context): Promise<void> {
  const before = ctx.now() - limits.orphanAfterMs
  for await (const old of storedBefore(ctx.server.bytes(ctx.zone, 'storage'), before)) {
    await ctx.transact(inner => leaveOrphans(inner, old))
  }
}

async function leaveOrphans(ctx: Context, blobs: readonly string[]): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `INSERT INTO storage_garbage (blob, due_at) SELECT one.blob, $2 FROM unnest($1::text[]) AS one(blob)
      WHERE ${isUnnamed('one.blob')} ON CONFLICT DO NOTHING`,
    values: [blobs, ctx.now()],
  })
}

/** How long the row of an upload that is over is kept, for a client that asks what became of it. */
const overForMs = 24 * 3_600_000

/** Ends uploads that nobody came back for, or all of a bucket; their parts go. */
export async function endUploads(ctx: Context, bucketId: string | null): Promise<void> {
  const engine = ctx.server.bytes(ctx.zone, 'storage')
  const now = ctx.now()
  for (;;) {
    const { rows } = await ctx.transact(inner =>
      inner.transaction(inner.zone).query<{ upload_id: string }>({
        text: `WITH due AS (SELECT upload_id FROM storage_uploads WHERE state = ANY($1)
              AND (bucket_id = $2 OR ($2::text IS NULL AND expires_at <= $3)) LIMIT $4 FOR UPDATE SKIP LOCKED),
            parts AS (DELETE FROM storage_parts p USING due d WHERE p.upload_id = d.upload_id)
          UPDATE storage_uploads u SET state = 'EXPIRED', updated_at = $3 FROM due d WHERE u.upload_id = d.upload_id
          RETURNING u.upload_id`,
        values: [uploadStatesBefore('expire'), bucketId, now, batch],
      }),
    )
    for (const { upload_id } of rows) await engine.dropParts(upload_id)
    if (rows.length < batch) break
  }
  const { rows } = await ctx.transact(inner =>
    inner.transaction(inner.zone).query<{ upload_id: string }>({
      text: `DELETE FROM storage_uploads WHERE upload_id IN (SELECT upload_id FROM storage_uploads
        WHERE state IN ('DONE', 'ABORTED', 'EXPIRED') AND updated_at <= $1 LIMIT $2) RETURNING upload_id`,
      values: [now - overForMs, batch],
    }),
  )
  // Whoever ended the upload took its parts away, unless it was killed in between.
  for (const { upload_id } of rows) await engine.dropParts(upload_id)
}
