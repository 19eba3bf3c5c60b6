import { CallError, errorOf } from './call-error.ts'

export interface PutOptions {
  method?: 'PUT' | 'POST' | 'PATCH'
  headers?: Readonly<Record<string, string>>
  onProgress?: (sentBytes: number, totalBytes: number) => void
  signal?: AbortSignal
  /** Whose sentences a refusal is told in. */
  service?: string
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
  const { method = 'PUT', headers = {}, onProgress, signal, service = 'console' } = options
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    const refused = () => errorOf(new Response(request.responseText, { status: request.status }), service)
    request.open(method, address)
    request.withCredentials = true
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = event => onProgress?.(event.loaded, blob.size)
    request.onerror = () => reject(new CallError({ status: 0, number: 0, message: 'The connection broke.', service }))
    request.onabort = () => reject(new DOMException('aborted', 'AbortError'))
    request.onloadend = () => signal?.removeEventListener('abort', stop)
    request.onload = () => {
      if (request.status < 200 || request.status > 299) return void refused().then(reject, reject)
      onProgress?.(blob.size, blob.size)
      resolve({ text: request.responseText, header: name => request.getResponseHeader(name) })
    }
    if (signal?.aborted) return reject(new DOMException('aborted', 'AbortError'))
    signal?.addEventListener('abort', stop, { once: true })
    request.send(blob)
  })
}
