import type { Context } from '../../../server/context.ts'
import { signedDownload } from './addresses.ts'
import type { FileRow } from './queries.ts'

/** What every upload answers. */
export function uploadedAnswer(ctx: Context, row: FileRow) {
  const { objectId, fileName, sizeBytes, bizTag, width, height, expireAt } = row
  const file = {
    objectId,
    url: signedDownload(ctx, objectId),
    fileName,
    sha256: row.sha256 ?? '',
    size: sizeBytes,
    mime: row.mime ?? 'application/octet-stream',
    width,
    height,
  }
  return { urlsInfo: [file], othersInfo: { bizTag, expireAt } }
}
