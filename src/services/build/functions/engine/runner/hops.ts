import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'

/** Of the call that runs: how many functions led there, in words that the server signed. */
export const markOfCall = new AsyncLocalStorage<string | undefined>()
const header = 'x-loggia-hops'

/** What a function asks of others says how many functions led there, so that a circle of them comes to its end. */
export function markHops(): void {
  subscribe('http.client.request.created', message => {
    const { request } = message as { request: { headersSent: boolean; setHeader(name: string, value: string): void } }
    const mark = markOfCall.getStore()
    if (mark !== undefined && !request.headersSent) request.setHeader(header, mark)
  })
  subscribe('undici:request:create', message => {
    const { request } = message as { request: { addHeader(name: string, value: string): void } }
    const mark = markOfCall.getStore()
    if (mark !== undefined) request.addHeader(header, mark)
  })
}
