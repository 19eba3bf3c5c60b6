import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'

/** How many functions led to the call that runs. */
export const hopsOfCall = new AsyncLocalStorage<number>()
const header = 'x-loggia-hops'

/** What a function asks of others says how many functions led there, so that a circle of them comes to its end. */
export function markHops(): void {
  const next = () => String((hopsOfCall.getStore() ?? 0) + 1)
  subscribe('http.client.request.created', message => {
    const { request } = message as { request: { headersSent: boolean; setHeader(name: string, value: string): void } }
    if (!request.headersSent) request.setHeader(header, next())
  })
  subscribe('undici:request:create', message => {
    const { request } = message as { request: { addHeader(name: string, value: string): void } }
    request.addHeader(header, next())
  })
}
