const unsaid = 'application/octet-stream'

/** What was said says nothing of the bytes, so they need not be looked at. */
export const isUnsaid = (contentType: string): boolean => contentType === unsaid

/** What the bytes are, where that is not what was said. */
export function oddType(contentType: string, sniffed: string | null): string | null {
  const said = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (sniffed === null || sniffed === said || said === unsaid) return null
  // What is a zip or XML may well be called by what is made of it.
  return sniffed === 'application/zip' || sniffed === 'application/xml' ? null : sniffed
}
