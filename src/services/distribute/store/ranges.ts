/** What to send of a representation: all of it, one part of it, or nothing because no byte of it was asked for. */
export type Part = { start: number; end: number } | 'whole' | 'none'

/**
 * Reads a Range header (RFC 9110, 14.2) for a representation of `sizeBytes`. Units other than bytes, broken headers and
 * several ranges at once are answered with the whole, as the RFC allows; `if-range` that names another version too.
 */
export function partOf(header: string | undefined, sizeBytes: number, ifRange: string | undefined, etag: string): Part {
  if (header === undefined || (ifRange !== undefined && ifRange !== etag)) return 'whole'
  const found = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i.exec(header.replaceAll(' ', ''))
  if (!found) return 'whole'
  const [, first, last, suffix] = found
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), sizeBytes)
    return length === 0 ? 'none' : { start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last ? Math.min(Number(last), sizeBytes - 1) : sizeBytes - 1
  if (last && Number(last) < start) return 'whole'
  return start >= sizeBytes ? 'none' : { start, end }
}

/** Whether an If-None-Match header names the version (RFC 9110, 13.1.2: compared weakly). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some(one => one.trim().replace(/^W\//, '') === etag)
}
