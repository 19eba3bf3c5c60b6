import { abortIsolate } from 'cloudflare:workers'
import type { Fault, Order, Report } from '../../frames.ts'
import { faultOf, isFault } from '../../runner/faults.ts'
import { callHandler, type Loaded, type LoadOrder, loadHandler, type Module } from '../../runner/handler.ts'
import { calls, catchLogs, logOf } from '../../runner/logs.ts'
import make from './bundle.mjs'
import { guideOutgoing } from './outgoing.ts'
import { Telling } from './telling.ts'

/**
 * What runs in a copy's isolate around the code of the package. The code itself runs within the first request, where timers
 * and chance are there, as they are in Node.
 */
const tellings = new Map<string | null, Telling>()
let loaded: Loaded | undefined

/** To whoever waits for the call that a report is of; else to anybody who waits. */
function say(report: Report): void {
  const id = 'id' in report ? report.id : null
  const telling = tellings.get(id) ?? [...tellings.values()].at(-1)
  telling?.say(report)
}

/** What nobody awaited or caught leaves the code in a state that nobody knows: it is told, and the copy ends. */
function endBy(error: unknown): void {
  for (const telling of tellings.values()) telling.end({ type: 'failed', error: faultOf('uncaught', error) })
}

catchLogs(say)
guideOutgoing()
addEventListener('unhandledrejection', ({ reason }) => endBy(reason))
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const) catchIn(name)

/** workerd writes what a timer threw to its own log and goes on. */
function catchIn(name: 'setTimeout' | 'setInterval' | 'setImmediate' | 'queueMicrotask'): void {
  const own = globalThis[name] as (run: () => void, ...rest: unknown[]) => unknown
  const caught = (run: unknown, ...rest: unknown[]) => {
    if (typeof run !== 'function') return own(run as never, ...rest)
    return own(
      (...given: unknown[]) => {
        try {
          return run(...given)
        } catch (error) {
          endBy(error)
        }
      },
      ...rest,
    )
  }
  Object.assign(globalThis, { [name]: caught })
}

async function load(order: LoadOrder): Promise<Report> {
  try {
    const modules: Record<string, Module> = {}
    const { handler, initialiser } = make()
    modules[order.handler] = handler
    if (order.initialiser !== null) modules[order.initialiser] = initialiser
    const result = await loadHandler(order, async wanted => modules[wanted] ?? {})
    if ('kind' in result) return { type: 'failed', error: result }
    loaded = result
  } catch (error) {
    return { type: 'failed', error: faultOf('loadFailed', error) }
  }
  try {
    await loaded.initialise?.(logOf(null))
    return { type: 'ready', initMs: 0 }
  } catch (error) {
    return { type: 'failed', error: faultOf('initialiserFailed', error) }
  }
}

async function call(order: Order & { type: 'call' }): Promise<Report> {
  const { id } = order
  const abort = new AbortController()
  const late = setTimeout(() => abort.abort(new Error('the time of the call is over')), order.timeoutMs)
  try {
    if (!loaded) throw new Error('called before it was ready')
    return { type: 'answered', id, result: await callHandler(loaded, order, abort.signal) }
  } catch (error) {
    const fault: Fault = isFault(error) ? error : faultOf('refused', error)
    return { type: 'threw', id, error: fault }
  } finally {
    clearTimeout(late)
  }
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/end') abortIsolate('the copy is not needed any more')
    const order = (await request.json()) as LoadOrder & Order & { type: 'call' }
    const id = pathname === '/call' ? order.id : null
    const telling = new Telling()
    tellings.set(id, telling)
    const done = id === null ? load(order) : calls.run(id, () => call(order))
    void done.then(report => {
      telling.end(report)
      tellings.delete(id)
    })
    return telling.response()
  },
}
