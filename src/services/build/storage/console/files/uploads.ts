import { isCallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import type { FileTransfer } from '../../../../../console/kit/FileProgress.tsx'
import { currentTeamId } from '../../../../../console/session.ts'
import { createStore } from '../../../../../console/store.ts'
import { fingerprintOf, type KeptUpload, memoryOf } from '../../../../../console/uploads/kept-uploads.ts'
import { queryClient } from '../../../../../console/use-call.ts'
import { filesApi } from '../storage-calls.ts'

export interface Transfer extends FileTransfer {
  bucketId: string
  uploadUrl: string
}

/** `objectId` is the path, `nspUploadId` the address of the upload. */
export interface KeptSend extends KeptUpload {
  bucketId: string
}

/** Uploads of this browser that are not whole yet: a reload ends them here, not on the server. */
export const broken = memoryOf<KeptSend>('loggia.storage.uploads')

export interface Arrived {
  /** Null: the server keeps it no more. */
  bytes: number | null
}

/** How much of an upload the server has. Throws where it cannot be asked. */
export async function arrivedOf(uploadUrl: string): Promise<Arrived> {
  const reply = await fetch(uploadUrl, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })
  if (reply.status === 404 || reply.status === 410) return { bytes: null }
  if (!reply.ok) throw new Error(`HTTP ${reply.status}`)
  return { bytes: Number(reply.headers.get('upload-offset')) }
}

/** Gives an upload up, here and on the server. */
export async function discard(uploadUrl: string): Promise<void> {
  broken.forget(uploadUrl)
  await fetch(uploadUrl, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } }).catch(() => undefined)
}

/** The address of an upload of the very same file to the same path that did not end; null where there is none. */
async function brokenOf(bucketId: string, path: string, file: File): Promise<string | null> {
  const fingerprint = await fingerprintOf(file)
  const isRunning = (url: string) => transfers.get().some(one => one.uploadUrl === url)
  const found = broken
    .all()
    .find(one => one.bucketId === bucketId && one.objectId === path && one.fingerprint === fingerprint)
  if (!found || isRunning(found.nspUploadId)) return null
  if ((await arrivedOf(found.nspUploadId)).bytes !== null) return found.nspUploadId
  broken.forget(found.nspUploadId)
  return null
}

/** Begins an upload and remembers it; null where a file is there and stays. */
async function begin(bucketId: string, path: string, file: File, replaces: boolean): Promise<string | null> {
  const { uploadUrl, exists, expiresAt } = await filesApi.startUpload({
    body: {
      bucketId,
      path,
      size: file.size,
      contentType: file.type || 'application/octet-stream',
      existing: replaces ? 'replace' : 'refuse',
    },
  })
  if (exists && !replaces) return null
  broken.keep({
    bucketId,
    objectId: path,
    nspUploadId: uploadUrl,
    fingerprint: await fingerprintOf(file),
    teamId: currentTeamId() ?? '',
    fileName: file.name,
    sizeBytes: file.size,
    expireAt: expiresAt,
  })
  return uploadUrl
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
  const uploadUrl = (await brokenOf(bucketId, path, file)) ?? (await begin(bucketId, path, file, replaces))
  if (uploadUrl === null) return 'exists'
  const { Upload } = await import('tus-js-client')
  const id = `${bucketId} ${++made}`
  const leave = () => {
    broken.forget(uploadUrl)
    forget(id)
  }
  const stateNow = () => transfers.get().find(one => one.id === id)?.state
  const fail = (error: unknown) => {
    if (navigator.onLine)
      return change(id, { state: 'failed', ...(isCallError(error) ? { error: errorText(error) } : {}) })
    // The client tries nothing again without a line; it goes on as soon as there is one.
    change(id, { state: 'paused' })
    addEventListener('online', () => stateNow() === 'paused' && go(), { once: true })
  }
  const upload = new Upload(file, {
    uploadUrl,
    chunkSize,
    retryDelays: [0, 1_000, 3_000, 5_000, 10_000, 20_000],
    storeFingerprintForResuming: false,
    onProgress: sentBytes => change(id, { sentBytes }),
    onError: fail,
    onSuccess: () => {
      leave()
      void queryClient.invalidateQueries({ queryKey: ['build/storage'] })
    },
  })
  const go = () => {
    change(id, { state: 'sending' })
    upload.start()
  }
  const one: Transfer = {
    bucketId,
    uploadUrl,
    id,
    name: path,
    sizeBytes: file.size,
    sentBytes: 0,
    state: 'sending',
    onPause: () => void upload.abort().then(() => change(id, { state: 'paused' })),
    onResume: go,
    onRemove: () => void upload.abort(true).finally(leave),
  }
  transfers.set([...transfers.get(), one])
  go()
  return 'sent'
}
