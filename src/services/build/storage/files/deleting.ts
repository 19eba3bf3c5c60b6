import { Refusal } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { deleteObject } from '../objects/writing.ts'
import { pathProblem } from '../rules.ts'

export interface Deleted {
  deletedObjects: string[]
  errorObjects: { path: string; code: number; msg: string }[]
}

/** Deletes files and says of the rest why not; each in its place, in the order of their paths, so that two callers do not block each other. */
export async function deletePaths(ctx: Context, bucket: BucketFacts, paths: readonly string[]): Promise<Deleted> {
  const done: Deleted = { deletedObjects: [], errorObjects: [] }
  for (const path of [...new Set(paths)].sort()) {
    const problem = pathProblem(path)
    const gone = problem === null ? await deleteObject(ctx, bucket, path) : null
    if (gone) done.deletedObjects.push(path)
    else {
      const refusal =
        problem === null
          ? new Refusal(storageErrors.noFile, { path })
          : new Refusal(storageErrors.badPath, { path: path.slice(0, 200), problem })
      done.errorObjects.push({ path, code: refusal.number, msg: refusal.message })
    }
  }
  return done
}

const batch = 200

/** Deletes what begins with a prefix, some at a time. Answers how many there were. */
export async function deletePrefix(
  ctx: Context,
  bucket: BucketFacts,
  prefix: string,
  signal: AbortSignal,
  told: (deleted: number) => Promise<void>,
): Promise<number> {
  for (let deleted = 0; ; ) {
    signal.throwIfAborted()
    const some = await ctx.transact(async inner => {
      const { rows } = await inner.transaction(inner.zone).query<{ path: string }>({
        text: `SELECT path FROM storage_objects WHERE bucket_id = $1 AND path >= $2 AND path < $2 || $3 ORDER BY path LIMIT $4`,
        values: [bucket.bucketId, prefix, '\u{10ffff}', batch],
      })
      for (const { path } of rows) await deleteObject(inner, bucket, path)
      return rows.length
    })
    deleted += some
    await told(deleted)
    if (some < batch) return deleted
  }
}
