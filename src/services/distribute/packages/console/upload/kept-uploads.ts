import type { ZoneId } from '../../../../../kernel/zones.ts'
import type { PackageUsage } from '../../rules.ts'

/** What this browser remembers of an upload, so that it goes on after a reload. The bytes stay with the person. */
export interface KeptUpload {
  fingerprint: string
  teamId: string
  appId: string
  zone?: ZoneId
  fileName: string
  sizeBytes: number
  usage: PackageUsage
  objectId: string
  nspUploadId: string
  expireAt: number
  /** All parts are joined; only the package is still to be made of them. */
  isComposed?: boolean
}

const storageKey = 'loggia.uploads'

export function keptUploads(now = Date.now()): KeptUpload[] {
  try {
    const all = JSON.parse(localStorage.getItem(storageKey) ?? '[]') as KeptUpload[]
    return all.filter(one => one.expireAt > now)
  } catch {
    return []
  }
}

export function keepUpload(upload: KeptUpload): void {
  const others = keptUploads().filter(one => one.nspUploadId !== upload.nspUploadId)
  localStorage.setItem(storageKey, JSON.stringify([...others, upload].slice(-50)))
}

export function forgetUpload(nspUploadId: string): void {
  localStorage.setItem(storageKey, JSON.stringify(keptUploads().filter(one => one.nspUploadId !== nspUploadId)))
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
