import type { Readable } from 'node:stream'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { engineOf, explain } from '../objects/content.ts'
import { limits } from '../rules.ts'
import { addPiece, newSlot, type UploadRow } from './rows.ts'

/**
 * Goes on with an upload at `offset`. What comes is kept in pieces, each lasting before it is counted, so that a cut
 * connection costs nothing that was in. Bytes that are in already, from a sender who begins again, are passed over.
 */
export async function appendBytes(
  ctx: Context,
  bucket: BucketFacts,
  upload: UploadRow,
  offset: number,
  stream: Readable,
): Promise<UploadRow> {
  if (offset > upload.received) refuse(storageErrors.wrongOffset, { receiveBytes: upload.received, offset })
  const room = (upload.sizeBytes ?? bucket.maxObjectBytes ?? limits.objectBytes) - upload.received
  let left = upload.received - offset
  let current = upload
  let piece: Buffer[] = []
  let gathered = 0
  let taken = 0
  const keep = async () => {
    if (gathered === 0) return
    const bytes = piece
    const sizeBytes = gathered
    piece = []
    gathered = 0
    current = await keepPiece(ctx, bucket, current, bytes, sizeBytes)
  }
  try {
    for await (const whole of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const chunk = left > 0 ? whole.subarray(Math.min(left, whole.length)) : whole
      left -= whole.length - chunk.length
      if (chunk.length === 0) continue
      taken += chunk.length
      if (taken > room)
        refuse(storageErrors.wrongBytes, { algorithm: 'size', expected: upload.sizeBytes, found: 'more' })
      piece.push(chunk)
      gathered += chunk.length
      if (gathered >= limits.pieceBytes) await keep()
    }
  } catch (error) {
    // What came before the line broke is kept; the sender asks how much that is.
    if (stream.errored) await keep()
    explain(stream)(error)
  }
  await keep()
  return current
}

async function keepPiece(
  ctx: Context,
  bucket: BucketFacts,
  upload: UploadRow,
  bytes: readonly Buffer[],
  sizeBytes: number,
): Promise<UploadRow> {
  const slot = newSlot()
  const stored = await engineOf(ctx.server, bucket)
    .putPart(upload.uploadId, slot, bytes, { limitBytes: sizeBytes })
    .catch(explain())
  return ctx.transact(inner => addPiece(inner, upload, { slot, sizeBytes, md5: stored.md5 }))
}
