import { isCallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import type { FileTransfer } from '../../../../../console/kit/FileProgress.tsx'
import { createStore } from '../../../../../console/store.ts'
import { queryClient } from '../../../../../console/use-call.ts'
import { filesApi } from '../storage-calls.ts'

export interface Transfer extends FileTransfer {
  bucketId: string
}

/** What is on its way, of all buckets: it goes on while people look at other pages. */
export const transfers = createStore<readonly Transfer[]>([])

const change = (id: string, part: Partial<Transfer>) =>
  transfers.set(transfers.get().map(one => (one.id === id ? { ...one, ...part } : one)))
const forget = (id: string) => transfers.set(transfers.get().filter(one => one.id !== id))

let made = 0
const chunkSize = 8 * 1024 ** 2

/** Sends a file to a path of a bucket; a line that breaks is gone on with by itself. */
export async function sendFile(
  bucketId: string,
  path: string,
  file: File,
  replaces: boolean,
): Promise<'exists' | 'sent'> {
  const { uploadUrl, exists } = await filesApi.startUpload({
    body: {
      bucketId,
      path,
      size: file.size,
      contentType: file.type || 'application/octet-stream',
      existing: replaces ? 'replace' : 'refuse',
    },
  })
  if (exists && !replaces) return 'exists'
  const { Upload } = await import('tus-js-client')
  const id = `${bucketId} ${++made}`
  const fail = (error: unknown) =>
    change(id, { state: 'failed', ...(isCallError(error) ? { error: errorText(error) } : {}) })
  const upload = new Upload(file, {
    uploadUrl,
    chunkSize,
    retryDelays: [0, 1_000, 3_000, 5_000, 10_000, 20_000],
    storeFingerprintForResuming: false,
    onProgress: sentBytes => change(id, { sentBytes }),
    onError: fail,
    onSuccess: () => {
      forget(id)
      void queryClient.invalidateQueries({ queryKey: ['build/storage'] })
    },
  })
  const go = () => {
    change(id, { state: 'sending' })
    upload.start()
  }
  const one: Transfer = {
    bucketId,
    id,
    name: path,
    sizeBytes: file.size,
    sentBytes: 0,
    state: 'sending',
    onPause: () => void upload.abort().then(() => change(id, { state: 'paused' })),
    onResume: go,
    onRemove: () => void upload.abort(true).finally(() => forget(id)),
  }
  transfers.set([...transfers.get(), one])
  go()
  return 'sent'
}
