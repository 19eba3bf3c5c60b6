import { safeFileName } from './rules.ts'

/** `attachment` with the name twice: plain for old readers, and in full (RFC 6266). */
export function contentDisposition(fileName: string): string {
  const safe = safeFileName(fileName)
  const plain = safe.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(safe).replace(/['()*]/g, one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
