import { fileTypeFromBuffer } from 'file-type'

/** What the first bytes of a file say. */
export interface Sniffed {
  mime: string
  width: number | null
  height: number | null
}

export interface Content extends Sniffed {
  isAnimated: boolean
}

/** Only these ever reach a header, and none of them is a page or a script: XML, of which XHTML is one, is none of them. */
const served: Readonly<Record<string, string>> = {
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/webp': 'image/webp',
  'image/gif': 'image/gif',
  'application/pdf': 'application/pdf',
  'video/quicktime': 'video/quicktime',
  'video/mp4': 'video/mp4',
  'video/x-m4v': 'video/mp4',
}

/**
 * Tells a file by its bytes, never by its name. Ours are only what `file-type` does not tell: how large a picture is and
 * whether a WEBP moves, and which zip is an APK, for the names stand in its last bytes, `tail`.
 */
export async function sniff(head: Uint8Array, tail: Uint8Array | null): Promise<Content> {
  if (isZip(head)) return plain(ofZip(head, tail))
  const found = (await fileTypeFromBuffer(head))?.mime ?? ''
  const mime = served[found] ?? 'application/octet-stream'
  if (mime === 'image/png') return ofPng(head, found === 'image/apng')
  if (mime === 'image/jpeg') return ofJpeg(head)
  return mime === 'image/webp' ? ofWebp(head) : plain(mime)
}

/** A file with entries, or an empty one: `PK\3\4`, `PK\5\6`. */
export function isZip(head: Uint8Array): boolean {
  const [p, k, third = 0, fourth] = head
  return p === 0x50 && k === 0x4b && (third === 3 || third === 5) && fourth === third + 1
}

function plain(mime: string): Content {
  return { mime, width: null, height: null, isAnimated: false }
}

function ofZip(head: Uint8Array, tail: Uint8Array | null): string {
  const names = textAt(head, 0, head.length) + (tail ? textAt(tail, 0, tail.length) : '')
  // An app bundle has its manifest one folder deeper.
  const isApk = names.includes('AndroidManifest.xml') && !names.includes('BundleConfig.pb')
  return isApk ? 'application/vnd.android.package-archive' : 'application/zip'
}

function ofPng(bytes: Uint8Array, isAnimated: boolean): Content {
  if (bytes.length < 24 || textAt(bytes, 12, 4) !== 'IHDR') return plain('application/octet-stream')
  const view = viewOf(bytes)
  return { mime: 'image/png', width: view.getUint32(16), height: view.getUint32(20), isAnimated }
}

/** Walks the segments to the frame header, SOF0 to SOF15 without the three that are something else. */
function ofJpeg(bytes: Uint8Array): Content {
  const view = viewOf(bytes)
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) break
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { mime: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5), isAnimated: false }
    }
    at += view.getUint16(at + 2) + 2
  }
  return plain('image/jpeg')
}

function ofWebp(bytes: Uint8Array): Content {
  const view = viewOf(bytes)
  const of = (width: number, height: number, isAnimated = false) => ({ mime: 'image/webp', width, height, isAnimated })
  if (bytes.length < 30) return plain('application/octet-stream')
  const kind = textAt(bytes, 12, 4)
  if (kind === 'VP8X') {
    const side = (offset: number) => view.getUint16(offset, true) + ((bytes[offset + 2] ?? 0) << 16) + 1
    return of(side(24), side(27), ((bytes[20] ?? 0) & 2) !== 0)
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return of((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
  if (kind === 'VP8 ') return of(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
  return plain('application/octet-stream')
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const latin = new TextDecoder('latin1')

function textAt(bytes: Uint8Array, offset: number, length: number): string {
  return latin.decode(bytes.subarray(offset, offset + length))
}
