import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { engineOf, explain } from '../objects/content.ts'
import { limits } from '../rules.ts'
import { addPiece, newSlot, type UploadRow } from '../uploads/rows.ts'

export const checksumAlgorithms = ['sha1', 'sha256', 'md5'] as const

/** What a PATCH says of its own bytes. */
export interface Promised {
  algorithm: (typeof checksumAlgorithms)[number]
  /** Base64. */
  digest: string
}

/** The bytes are not those that were promised; TUS has a status of its own for it. */
export const checksumMismatch = { status_code: 460, body: 'Checksum Mismatch\n' }

/** Reads `Upload-Checksum`; null where there is none. Refuses one that is not known. */
export function promisedIn(header: string | undefined): Promised | null {
  if (header === undefined) return null
  const [name = '', digest = ''] = header.trim().split(/\s+/)
  const algorithm = checksumAlgorithms.find(one => one === name)
  if (!algorithm || digest === '')
    throw badField('/upload-checksum', 'algorithm', `is ${checksumAlgorithms.join(', ')} and base64`, 'header')
  return { algorithm, digest }
}

/** Keeps what came only once it is proven, as one piece: of bytes that are not as promised, none is in. */
export function appendProven({ algorithm, digest }: Promised) {
  return async (ctx: Context, bucket: BucketFacts, upload: UploadRow, offset: number, stream: Readable) => {
    if (offset !== upload.received) refuse(storageErrors.wrongOffset, { receiveBytes: upload.received, offset })
    const hash = createHash(algorithm)
    const slot = newSlot()
    const limitBytes = (upload.sizeBytes ?? limits.objectBytes) - upload.received
    const stored = await engineOf(ctx.server, bucket)
      .putPart(upload.uploadId, slot, stream, { limitBytes, seen: chunk => void hash.update(chunk) })
      .catch(explain(stream))
    if (hash.digest('base64') !== digest) throw checksumMismatch
    if (stored.sizeBytes === 0) return upload
    return ctx.transact(inner => addPiece(inner, upload, { slot, sizeBytes: stored.sizeBytes, md5: stored.md5 }))
  }
}
