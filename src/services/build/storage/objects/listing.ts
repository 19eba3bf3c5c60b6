import type { Context } from '../../../../server/context.ts'
import { type ObjectRow, toRow } from './rows.ts'

export interface ListedFile {
  path: string
  sizeBytes: number
  etag: string
  contentType: string
  generation: number
  updatedAt: number
}

export interface Listing {
  files: ListedFile[]
  /** What the rest of the paths begin with, up to the delimiter. */
  prefixes: string[]
  /** Goes on from here; null at the end. */
  next: string | null
}

/** Behind everything that begins with a prefix: no path has this character. */
const last = '\u{10ffff}'

/**
 * Files below a prefix in the order of their bytes. With a delimiter each folder is one step over the index, however much
 * is in it.
 */
export async function listObjects(
  ctx: Context,
  bucketId: string,
  wanted: { prefix: string; delimiter: string; after: string; limit: number },
): Promise<Listing> {
  const { prefix, delimiter, limit } = wanted
  // A folder that was told of before is told of no more: what is in it lies behind it.
  const isFolder = delimiter !== '' && wanted.after.length > prefix.length && wanted.after.endsWith(delimiter)
  const start = isFolder ? wanted.after + last : wanted.after
  const { rows } = await ctx
    .transaction(ctx.zone)
    .query<ListedFile & { entry: string; isPrefix: boolean } & Record<string, unknown>>({
      name: 'storage list',
      text: `WITH RECURSIVE walk AS (
        (${nextBehind('$4::text')})
        UNION ALL
        SELECT one.* FROM walk w, LATERAL (${nextBehind('CASE WHEN w."isPrefix" THEN w.entry || $6::text ELSE w.entry END')}) one
      ) SELECT * FROM walk LIMIT $5`,
      values: [bucketId, prefix, delimiter, start, limit + 1, last],
    })
  const shown = rows.slice(0, limit)
  const end = shown.at(-1)
  return {
    files: shown.filter(row => !row.isPrefix).map(row => toRow(row as never as ObjectRow)),
    prefixes: shown.filter(row => row.isPrefix).map(row => row.entry),
    next: rows.length > limit && end ? end.entry : null,
  }
}

/** The next file behind a place, and whether it is in a folder below the prefix. */
function nextBehind(place: string): string {
  return `SELECT o.path, o.size_bytes AS "sizeBytes", o.etag, o.content_type AS "contentType", o.generation,
      o.created_at AS "createdAt", o.updated_at AS "updatedAt",
      CASE WHEN cut.at > 0 THEN left(o.path, length($2::text) + cut.at - 1 + length($3::text)) ELSE o.path END COLLATE "C" AS entry,
      cut.at > 0 AND $3::text <> '' AS "isPrefix"
    FROM storage_objects o, LATERAL (SELECT CASE WHEN $3::text = '' THEN 0 ELSE position($3::text IN substr(o.path, length($2::text) + 1)) END AS at) cut
    WHERE o.bucket_id = $1 AND o.path >= $2 AND o.path < $2::text || $6::text AND o.path > ${place}
    ORDER BY o.path LIMIT 1`
}
