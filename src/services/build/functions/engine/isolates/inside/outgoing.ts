import { currentCall } from '../../runner/current-call.ts'

/** What a function asks of others says how many functions led there; what it may not reach it learns as it would from Node. */
export function guideOutgoing(): void {
  const own = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const request = new Request(input as Request, init)
    const mark = currentCall.getStore()?.mark
    if (mark !== undefined) request.headers.set('x-loggia-hops', mark)
    try {
      return await own(request)
    } catch (error) {
      const code = /^connect ([A-Z][A-Z0-9_]+) /.exec((error as Error).message)?.[1]
      throw code ? new TypeError('fetch failed', { cause: Object.assign(error as Error, { code }) }) : error
    }
  }
}
