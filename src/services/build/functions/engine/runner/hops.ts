import { subscribe } from 'node:diagnostics_channel'
import { currentCall } from './current-call.ts'

const header = 'x-loggia-hops'

/** What a function asks of others says how many functions led there, so that a circle of them comes to its end. */
export function markHops(): void {
  subscribe('http.client.request.created', message => {
    const { request } = message as { request: { headersSent: boolean; setHeader(name: string, value: string): void } }
    const mark = currentCall.getStore()?.mark
    if (mark !== undefined && !request.headersSent) request.setHeader(header, mark)
  })
  subscribe('undici:request:create', message => {
    const { request } = message as { request: { addHeader(name: string, value: string): void } }
    const mark = currentCall.getStore()?.mark
    if (mark !== undefined) request.addHeader(header, mark)
  })
}
