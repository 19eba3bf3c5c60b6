import pLimit from 'p-limit'
import { ownAddress } from '../../../../../console/own-address.ts'
import { putBytes } from '../../../../../console/put-bytes.ts'
import type { CallOptions } from '../../../../../console/send.ts'
import { fileCalls } from '../package-calls.ts'
import type { KeptUpload } from './kept-uploads.ts'

const partsAtOnce = 3

interface Sending {
  file: Blob
  upload: Pick<KeptUpload, 'objectId' | 'nspUploadId'>
  options: CallOptions & { signal: AbortSignal }
  onProgress: (sentBytes: number) => void
}

/** Sends what the server lacks, as often as it takes, and joins the parts by what the server says it has. */
export async function sendParts({ file, upload, options, onProgress }: Sending): Promise<void> {
  const { objectId, nspUploadId } = upload
  const query = { objectId, nspUploadId }
  const list = () => fileCalls.listParts({ query }, options)
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
            service: fileCalls.listParts.service,
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
  await fileCalls.compose({ query, body }, options)
}
