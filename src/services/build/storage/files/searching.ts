import type { Context } from '../../../../server/context.ts'
import type { ListedFile } from '../objects/listing.ts'
import { type ObjectRow, toRow } from '../objects/rows.ts'

/** Files whose path has a part, whatever folder they are in. */
export async function searchFiles(
  ctx: Context,
  bucketId: string,
  wanted: { prefix: string; search: string; after: string; limit: number },
): Promise<{ files: ListedFile[]; next: string | null }> {
  const { rows } = await ctx.transaction(ctx.zone).query<ListedFile & Record<string, unknown>>({
    text: `SELECT path, size_bytes AS "sizeBytes", etag, content_type AS "contentType", generation, updated_at AS "updatedAt"
      FROM storage_objects WHERE bucket_id = $1 AND path >= $2 AND path < $2 || $6 AND path > $3 AND path ILIKE $4
      ORDER BY path LIMIT $5`,
    values: [
      bucketId,
      wanted.prefix,
      wanted.after,
      `%${wanted.search.replace(/[\\%_]/g, '\\$&')}%`,
      wanted.limit + 1,
      '\u{10ffff}',
    ],
  })
  const files = rows.slice(0, wanted.limit).map(row => toRow(row as never as ObjectRow))
  return { files, next: rows.length > wanted.limit ? (files.at(-1)?.path ?? null) : null }
}
