import { isCallError } from '../call-error.ts'
import { errorText } from '../error-text.ts'
import type { CallOptions } from '../send.ts'
import { currentTeamId, projectZone, watchSession } from '../session.ts'
import { createStore, type Store } from '../store.ts'
import { queryClient } from '../use-call.ts'
import { fingerprintOf, type KeptUpload, memoryOf, type UploadMemory } from './kept-uploads.ts'
import { type PartCalls, sendParts, type UploadKey } from './send-parts.ts'

type Kept<Wish> = KeptUpload & Wish

/** An upload of this visit. It lives outside the pages, so that walking through the console does not stop it. */
export type Upload<Wish, Made> = Kept<Wish> & {
  file: File
  sentBytes: number
  state: 'sending' | 'paused' | 'failed' | 'done'
  error?: string
  made?: Made
}

/** What uploads of one kind are for, and what is made of their bytes. */
interface UploadPlan<Wish, Made> {
  /** Where this browser remembers them. */
  storageKey: string
  calls: PartCalls & {
    abortUpload: (input: { body: UploadKey }, options?: CallOptions) => Promise<unknown>
    deleteObjects: (input: { body: { objectIds: string[] } }, options?: CallOptions) => Promise<unknown>
  }
  begin: (file: File, wish: Wish, options: CallOptions) => Promise<UploadKey & { expireAt: number }>
  /** Whether an upload for the one goes on as an upload for the other. */
  isSame: (one: Wish, other: Wish) => boolean
  finish: (upload: Kept<Wish>, options: CallOptions) => Promise<Made>
  /** The services whose answers are stale then. */
  invalidates: string
}

export interface Uploads<Wish, Made> {
  calls: PartCalls
  store: Store<readonly Upload<Wish, Made>[]>
  memory: UploadMemory<Kept<Wish>>
  /** Begins an upload, or goes on with the one of the same file that a reload or a lost line broke off. */
  start: (file: File, wish: Wish) => Promise<void>
  resume: (nspUploadId: string) => Promise<void>
  pause: (nspUploadId: string) => void
  /** Takes an upload away for good: here, in this browser's memory, and the bytes on the server. */
  remove: (upload: KeptUpload) => Promise<void>
  clear: (nspUploadId: string) => void
}

/** Uploads of one kind: in parts, with progress, to be paused and gone on with, also after a reload. */
export function uploadsOf<Wish extends object, Made>(plan: UploadPlan<Wish, Made>): Uploads<Wish, Made> {
  type One = Upload<Wish, Made>
  const memory = memoryOf<Kept<Wish>>(plan.storageKey)
  const store = createStore<readonly One[]>([])
  const stops = new Map<string, AbortController>()
  const find = (id: string) => store.get().find(one => one.nspUploadId === id)
  const change = (id: string, next: Partial<Upload<object, Made>>) =>
    store.set(store.get().map(one => (one.nspUploadId === id ? { ...one, ...next } : one)))

  const start = async (file: File, wish: Wish) => {
    const fingerprint = await fingerprintOf(file)
    const teamId = currentTeamId() ?? ''
    const zone = projectZone.get()
    const isSame = (one: Kept<Wish>) =>
      one.fingerprint === fingerprint && one.teamId === teamId && plan.isSame(one, wish)
    const known = store.get().find(one => isSame(one) && one.state !== 'done')
    if (known) return resume(known.nspUploadId)
    const kept = memory.all().find(isSame) ?? {
      ...{ fingerprint, teamId, fileName: file.name, sizeBytes: file.size },
      ...(zone && { zone }),
      ...keyOf(await plan.begin(file, wish, zone ? { zone } : {})),
    }
    const upload: Kept<Wish> = { ...kept, ...wish }
    memory.keep(upload)
    store.set([...store.get(), { ...upload, file, sentBytes: 0, state: 'paused' }])
    await resume(upload.nspUploadId)
  }

  const resume = async (id: string) => {
    const upload = find(id)
    if (!upload || upload.state === 'sending' || upload.state === 'done') return
    const stop = new AbortController()
    stops.set(id, stop)
    change(id, { state: 'sending', error: '' })
    try {
      const made = await run(upload, stop.signal)
      memory.forget(id)
      change(id, { state: 'done', sentBytes: upload.sizeBytes, made })
      await queryClient.invalidateQueries({ queryKey: [plan.invalidates] })
    } catch (error) {
      if (stop.signal.aborted) return change(id, { state: 'paused' })
      if (isCallError(error) && error.status === 404) memory.forget(id)
      change(id, { state: 'failed', error: errorText(error) })
    }
  }

  const run = async (upload: One, signal: AbortSignal): Promise<Made> => {
    const { nspUploadId: id, file, zone } = upload
    const options = { signal, ...(zone && { zone }) }
    if (!upload.isComposed) {
      const onProgress = (sentBytes: number) => !signal.aborted && change(id, { sentBytes })
      await sendParts({ calls: plan.calls, file, upload, options, onProgress })
      change(id, { isComposed: true })
      const kept = memory.all().find(one => one.nspUploadId === id)
      if (kept) memory.keep({ ...kept, isComposed: true })
    }
    return plan.finish(upload, options)
  }

  const pause = (id: string) => stops.get(id)?.abort()
  const clear = (id: string) => store.set(store.get().filter(one => one.nspUploadId !== id))
  const remove = async ({ objectId, nspUploadId, zone, isComposed }: KeptUpload) => {
    pause(nspUploadId)
    clear(nspUploadId)
    memory.forget(nspUploadId)
    const options = zone ? { zone } : {}
    const { deleteObjects, abortUpload } = plan.calls
    if (isComposed) await deleteObjects({ body: { objectIds: [objectId] } }, options).catch(() => undefined)
    else await abortUpload({ body: { objectId, nspUploadId } }, options).catch(() => undefined)
  }

  const running = () => store.get().filter(one => one.state === 'sending')
  addEventListener('beforeunload', event => {
    if (running().length > 0) event.preventDefault()
  })
  addEventListener('online', () => {
    for (const one of store.get()) if (one.state === 'failed') void resume(one.nspUploadId)
  })
  // The calls act for the team of the tab: an upload of the team left behind waits until its team is back.
  watchSession(() => {
    for (const one of running()) if (one.teamId !== currentTeamId()) pause(one.nspUploadId)
  })
  return { calls: plan.calls, store, memory, start, resume, pause, remove, clear }
}

/** The answer of the server has the addresses of all parts, too; they are not to be remembered. */
function keyOf({ objectId, nspUploadId, expireAt }: UploadKey & { expireAt: number }) {
  return { objectId, nspUploadId, expireAt }
}
