import pLimit from 'p-limit'
import { ownAddress } from '../own-address.ts'
import { putBytes } from '../put-bytes.ts'
import type { CallOptions } from '../send.ts'
import type { KeptUpload } from './kept-uploads.ts'

const partsAtOnce = 3

export type UploadKey = Pick<KeptUpload, 'objectId' | 'nspUploadId'>

interface PartsOfUpload {
  partSize: number
  received: { partNumber: number; partObjectId: string; etag: string; size: number }[]
  missing: { partNumber: number; size: number; url: string; headers: Record<string, string> }[]
}

/** The calls of the service that keeps files; whoever uploads gives its client. */
export interface PartCalls {
  listParts: ((input: { query: UploadKey }, options?: CallOptions) => Promise<PartsOfUpload>) & { service: string }
  compose: (
    input: { query: UploadKey; body: Record<string, { partObjectId: string; etag: string }> },
    options?: CallOptions,
  ) => Promise<unknown>
}

interface Sending {
  calls: PartCalls
  file: Blob
  upload: UploadKey
  options: CallOptions & { signal: AbortSignal }
  onProgress: (sentBytes: number) => void
}

/** Sends what the server lacks, as often as it takes, and joins the parts by what the server says it has. */
export async function sendParts({ calls, file, upload, options, onProgress }: Sending): Promise<void> {
  const { objectId, nspUploadId } = upload
  const query = { objectId, nspUploadId }
  const list = () => calls.listParts({ query }, options)
  let parts = await list()
  while (parts.missing.length > 0) {
    const arrived = parts.received.reduce((sum, part) => sum + part.size, 0)
    const onTheWay = new Map<number, number>()
    const tell = (part: number, sent: number) => {
      onTheWay.set(part, sent)
      onProgress(arrived + [...onTheWay.values()].reduce((sum, one) => sum + one, 0))
    }
    onProgress(arrived)
    const limit = pLimit(partsAtOnce)
    const { partSize } = parts
    await Promise.all(
      parts.missing.map(part =>
        limit(() => {
          const start = (part.partNumber - 1) * partSize
          return putBytes(ownAddress(part.url), file.slice(start, start + part.size), {
            headers: part.headers,
            signal: options.signal,
            service: calls.listParts.service,
            onProgress: sent => tell(part.partNumber, Math.min(sent, part.size)),
          })
        }),
      ),
    )
    parts = await list()
  }
  onProgress(file.size)
  const body = Object.fromEntries(
    parts.received.map(({ partNumber, partObjectId, etag }) => [String(partNumber), { partObjectId, etag }]),
  )
  await calls.compose({ query, body }, options)
}
