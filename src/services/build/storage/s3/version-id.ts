import type { Context } from '../../../../server/context.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import type { ObjectRow } from '../objects/rows.ts'

/** What was written while the bucket kept no versions is the null version, as S3 calls it. */
export const versionIdOf = (row: Pick<ObjectRow, 'generation' | 'isNullVersion'>): string =>
  row.isNullVersion ? 'null' : String(row.generation)

/** Whether an id is that of a file as it stands; a bucket that never kept versions has nothing but null versions. */
export const isVersion = (bucket: BucketFacts, row: ObjectRow, versionId: string): boolean =>
  versionIdOf(row) === versionId || (versionId === 'null' && bucket.versioning === 'OFF')

/** The number of an older version or marker; null where there can be none. */
export async function generationOf(
  ctx: Context,
  { bucketId }: BucketFacts,
  path: string,
  versionId: string,
): Promise<number | null> {
  if (/^\d{1,16}$/.test(versionId)) return Number(versionId)
  if (versionId !== 'null') return null
  const { rows } = await ctx.transaction(ctx.zone).query<{ generation: string }>({
    text: 'SELECT generation FROM storage_versions WHERE bucket_id = $1 AND path = $2 AND is_null_version',
    values: [bucketId, path],
  })
  return rows[0] ? Number(rows[0].generation) : null
}
