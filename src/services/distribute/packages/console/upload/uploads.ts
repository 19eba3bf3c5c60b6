import { isCallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { currentTeamId, projectZone, watchSession } from '../../../../../console/session.ts'
import { createStore } from '../../../../../console/store.ts'
import { queryClient } from '../../../../../console/use-call.ts'
import type { PackageUsage } from '../../rules.ts'
import { api, fileCalls } from '../package-calls.ts'
import { fingerprintOf, forgetUpload, type KeptUpload, keepUpload, keptUploads } from './kept-uploads.ts'
import { sendParts } from './send-parts.ts'

/** An upload of this visit. It lives outside the pages, so that walking through the console does not stop it. */
export interface Upload extends KeptUpload {
  file: File
  sentBytes: number
  state: 'sending' | 'paused' | 'failed' | 'done'
  error?: string
  made?: { pkgId: string; taskId: string }
}

export const uploads = createStore<readonly Upload[]>([])
const stops = new Map<string, AbortController>()

const find = (id: string) => uploads.get().find(one => one.nspUploadId === id)

function change(id: string, next: Partial<Upload>): void {
  uploads.set(uploads.get().map(one => (one.nspUploadId === id ? { ...one, ...next } : one)))
}

/** Begins an upload, or goes on with the one of the same file that a reload or a lost line broke off. */
export async function startUpload(file: File, wanted: { appId: string; usage: PackageUsage }): Promise<void> {
  const fingerprint = await fingerprintOf(file)
  const teamId = currentTeamId() ?? ''
  const zone = projectZone.get()
  const isSame = (one: KeptUpload) =>
    one.fingerprint === fingerprint && one.appId === wanted.appId && one.teamId === teamId
  const known = uploads.get().find(one => isSame(one) && one.state !== 'done')
  if (known) return resumeUpload(known.nspUploadId)
  const kept = keptUploads().find(isSame) ?? {
    ...wanted,
    ...{ fingerprint, teamId, fileName: file.name, sizeBytes: file.size },
    ...(zone && { zone }),
    ...(await fileCalls.beginUpload(
      { body: { fileName: file.name, size: file.size, bizTag: 'app_pkg' } },
      zone ? { zone } : {},
    )),
  }
  const upload: KeptUpload = pick({ ...kept, usage: wanted.usage })
  keepUpload(upload)
  uploads.set([...uploads.get(), { ...upload, file, sentBytes: 0, state: 'paused' }])
  await resumeUpload(upload.nspUploadId)
}

/** Only what is to be remembered; the answer of the server has the addresses of all parts, too. */
function pick(from: KeptUpload): KeptUpload {
  const { fingerprint, teamId, appId, zone, fileName, sizeBytes, usage, objectId, nspUploadId, expireAt } = from
  return {
    ...{ fingerprint, teamId, appId, fileName, sizeBytes, usage, objectId, nspUploadId, expireAt },
    ...(zone && { zone }),
    ...(from.isComposed && { isComposed: true }),
  }
}

export async function resumeUpload(id: string): Promise<void> {
  const upload = find(id)
  if (!upload || upload.state === 'sending' || upload.state === 'done') return
  const stop = new AbortController()
  stops.set(id, stop)
  change(id, { state: 'sending', error: '' })
  try {
    const made = await run(upload, stop.signal)
    forgetUpload(id)
    change(id, { state: 'done', sentBytes: upload.sizeBytes, made })
    await queryClient.invalidateQueries({ queryKey: [api.createPackage.service] })
  } catch (error) {
    if (stop.signal.aborted) return change(id, { state: 'paused' })
    if (isCallError(error) && error.status === 404) forgetUpload(id)
    change(id, { state: 'failed', error: errorText(error) })
  }
}

async function run(upload: Upload, signal: AbortSignal): Promise<{ pkgId: string; taskId: string }> {
  const { nspUploadId: id, appId, objectId, usage, zone } = upload
  const options = { signal, ...(zone && { zone }) }
  if (!upload.isComposed) {
    await sendParts({
      file: upload.file,
      upload,
      options,
      onProgress: sentBytes => !signal.aborted && change(id, { sentBytes }),
    })
    change(id, { isComposed: true })
    keepUpload(pick({ ...upload, isComposed: true }))
  }
  const { pkgId, taskId } = await api.createPackage(
    { body: { appId, objectId, usage } },
    { ...options, idempotencyKey: `package-of-${id}` },
  )
  return { pkgId, taskId }
}

export function pauseUpload(id: string): void {
  stops.get(id)?.abort()
}

/** Takes an upload away for good: here, in this browser's memory, and the parts on the server. */
export async function removeUpload(upload: KeptUpload): Promise<void> {
  const { objectId, nspUploadId, zone, isComposed } = upload
  pauseUpload(nspUploadId)
  clearUpload(nspUploadId)
  forgetUpload(nspUploadId)
  const options = zone ? { zone } : {}
  if (isComposed) await fileCalls.deleteObjects({ body: { objectIds: [objectId] } }, options).catch(() => undefined)
  else await fileCalls.abortUpload({ body: { objectId, nspUploadId } }, options).catch(() => undefined)
}

export function clearUpload(id: string): void {
  uploads.set(uploads.get().filter(one => one.nspUploadId !== id))
}

const running = () => uploads.get().filter(one => one.state === 'sending')

addEventListener('beforeunload', event => {
  if (running().length > 0) event.preventDefault()
})
addEventListener('online', () => {
  for (const one of uploads.get()) if (one.state === 'failed') void resumeUpload(one.nspUploadId)
})
// The calls act for the team of the tab: an upload of the team left behind waits until its team is back.
watchSession(() => {
  for (const one of running()) if (one.teamId !== currentTeamId()) pauseUpload(one.nspUploadId)
})
