/** What the first bytes of a file say. */
export interface Sniffed {
  mime: string
  width: number | null
  height: number | null
}

export interface Content extends Sniffed {
  isAnimated: boolean
}

/**
 * Tells a file by its magic bytes, never by its name. Only types that are in this list ever reach a header, and none of
 * them is a page or a script. `tail` is the end of a zip, where the names of its entries stand.
 */
export function sniff(head: Uint8Array, tail: Uint8Array | null): Content {
  const at = (offset: number, magic: string) => hasAt(head, offset, magic)
  if (at(0, '\x89PNG\r\n\x1a\n')) return ofPng(head)
  if (at(0, '\xff\xd8\xff')) return ofJpeg(head)
  if (at(0, 'RIFF') && at(8, 'WEBP')) return ofWebp(head)
  if (at(0, 'PK\x03\x04') || at(0, 'PK\x05\x06')) return plain(ofZip(head, tail))
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return plain('image/gif')
  if (at(0, '%PDF-')) return plain('application/pdf')
  if (at(4, 'ftypqt  ')) return plain('video/quicktime')
  if (at(4, 'ftyp')) return plain('video/mp4')
  return plain('application/octet-stream')
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

function ofPng(bytes: Uint8Array): Content {
  const view = viewOf(bytes)
  if (bytes.length < 24 || textAt(bytes, 12, 4) !== 'IHDR') return plain('application/octet-stream')
  let isAnimated = false
  for (let at = 8; at + 8 <= bytes.length; ) {
    const name = textAt(bytes, at + 4, 4)
    if (name === 'IDAT') break
    if (name === 'acTL') isAnimated = true
    at += view.getUint32(at) + 12
  }
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

/** By code, for what is called latin1 in a decoder is windows-1252 and changes bytes above 0x7f. */
function hasAt(bytes: Uint8Array, offset: number, magic: string): boolean {
  for (let at = 0; at < magic.length; at++) if (bytes[offset + at] !== magic.charCodeAt(at)) return false
  return true
}

const latin = new TextDecoder('latin1')

function textAt(bytes: Uint8Array, offset: number, length: number): string {
  return latin.decode(bytes.subarray(offset, offset + length))
}
