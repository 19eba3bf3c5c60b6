import { CallError } from './call-error.ts'

export interface PutOptions {
  method?: 'PUT' | 'POST' | 'PATCH'
  headers?: Readonly<Record<string, string>>
  onProgress?: (sentBytes: number, totalBytes: number) => void
  signal?: AbortSignal
}

/**
 * Sends bytes to an address with progress, which `fetch` cannot tell. To pause, abort the signal; to resume, ask the
 * server how far it came and send `blob.slice(offset)`. Resolves with the answer's text and headers for the next part.
 */
export function putBytes(
  address: string,
  blob: Blob,
  options: PutOptions = {},
): Promise<{ text: string; header: (name: string) => string | null }> {
  const { method = 'PUT', headers = {}, onProgress, signal } = options
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    const fail = (status: number, message: string) =>
      reject(new CallError({ status, number: 0, message, service: 'files' }))
    request.open(method, address)
    request.withCredentials = true
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = event => onProgress?.(event.loaded, blob.size)
    request.onerror = () => fail(0, 'The connection broke.')
    request.onabort = () => reject(new DOMException('aborted', 'AbortError'))
    request.onloadend = () => signal?.removeEventListener('abort', stop)
    request.onload = () => {
      if (request.status < 200 || request.status > 299) return fail(request.status, request.responseText.slice(0, 300))
      onProgress?.(blob.size, blob.size)
      resolve({ text: request.responseText, header: name => request.getResponseHeader(name) })
    }
    if (signal?.aborted) return reject(new DOMException('aborted', 'AbortError'))
    signal?.addEventListener('abort', stop, { once: true })
    request.send(blob)
  })
}
