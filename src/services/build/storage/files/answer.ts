import { zones } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import type { ObjectRow } from '../objects/rows.ts'
import { nameOf } from '../rules.ts'
import { livingTokens } from '../tokens.ts'

/** The address of a file on the data plane, each name of the path for itself. */
export function addressOf(ctx: Context, bucketId: string, path: string): string {
  const { publicUrl, filesUrl } = ctx.server.config
  return `${filesUrl ?? publicUrl}/${zones[ctx.zone].slug}/v0/${bucketId}/${path.split('/').map(encodeURIComponent).join('/')}`
}

export function toDetail(row: ObjectRow) {
  const {
    bucketId,
    path,
    contentType,
    sniffedType,
    cacheControl,
    contentDisposition,
    contentEncoding,
    contentLanguage,
  } = row
  return {
    bucketId,
    path,
    name: nameOf(path),
    size: row.sizeBytes,
    contentType,
    sniffedType,
    cacheControl,
    contentDisposition,
    contentEncoding,
    contentLanguage,
    sha256: row.sha256,
    md5: row.md5,
    metadata: row.metadata,
    ownerUid: row.ownerUid,
    generation: String(row.generation),
    metageneration: row.metageneration,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

export function toTokens(ctx: Context, row: ObjectRow) {
  const address = addressOf(ctx, row.bucketId, row.path)
  return livingTokens(row, ctx.now()).map(one => ({ ...one, url: `${address}?token=${one.token}` }))
}
