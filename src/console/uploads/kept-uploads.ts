import type { ZoneId } from '../../kernel/zones.ts'

/** What this browser remembers of an upload, so that it goes on after a reload. The bytes stay with the person. */
export interface KeptUpload {
  fingerprint: string
  teamId: string
  zone?: ZoneId
  fileName: string
  sizeBytes: number
  objectId: string
  nspUploadId: string
  expireAt: number
  /** All parts are joined; only what is made of them is still to come. */
  isComposed?: boolean
}

/** The uploads that are remembered under one key, each with what it is for. */
export interface UploadMemory<Kept extends KeptUpload> {
  all: () => Kept[]
  keep: (upload: Kept) => void
  forget: (nspUploadId: string) => void
}

const mostKept = 50

/** Remembers uploads in this browser until the server forgets them too. */
export function memoryOf<Kept extends KeptUpload>(storageKey: string): UploadMemory<Kept> {
  const all = (): Kept[] => {
    try {
      const kept = JSON.parse(localStorage.getItem(storageKey) ?? '[]') as Kept[]
      return kept.filter(one => one.expireAt > Date.now())
    } catch {
      return []
    }
  }
  const but = (nspUploadId: string) => all().filter(one => one.nspUploadId !== nspUploadId)
  const write = (uploads: Kept[]) => localStorage.setItem(storageKey, JSON.stringify(uploads.slice(-mostKept)))
  return {
    all,
    keep: upload => write([...but(upload.nspUploadId), upload]),
    forget: nspUploadId => write(but(nspUploadId)),
  }
}

const edgeBytes = 65_536

/** Tells the same file after a reload without reading all of it: name, size, time, and both ends where it can hash. */
export async function fingerprintOf(file: File): Promise<string> {
  const facts = `${file.name}|${file.size}|${file.lastModified}`
  // On plain http there is no crypto.subtle.
  if (!globalThis.isSecureContext) return facts
  const ends = new Blob([file.slice(0, edgeBytes), file.slice(-edgeBytes)])
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await ends.arrayBuffer()))
  return `${facts}|${[...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')}`
}
