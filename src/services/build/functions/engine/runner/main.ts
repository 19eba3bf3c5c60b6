import net from 'node:net'
import { encodeFrame, FrameReader, type Order, type Report } from '../frames.ts'
import { faultOf, isFault } from './faults.ts'
import { callHandler, type Loaded, loadHandler } from './handler.ts'
import { markHops } from './hops.ts'
import { findInLayers } from './layers.ts'
import { catchLogs, logOf } from './logs.ts'
import { importOf } from './modules.ts'
import { guideConnections, settleConnection } from './outgoing.ts'

/**
 * What runs in a function's process: it loads one handler, says when it is ready, and calls it. It talks over its third
 * descriptor, which the server made; nothing else of the server is within reach.
 */
const channel = new net.Socket({ fd: 3, readable: true, writable: true })
const say = (report: Report) => void channel.write(encodeFrame(report))
/** Answers of one turn go out as one. Lines never wait: a handler may not come back after one. */
const answer = (report: Report) => {
  if (channel.writableCorked === 0) {
    channel.cork()
    process.nextTick(() => channel.uncork())
  }
  say(report)
}
const aborts = new Map<string, AbortController>()
let loaded: Loaded | undefined

catchLogs(say)
guideConnections(say)
markHops()
findInLayers()

/** What nobody awaited or caught leaves the process in a state that nobody knows: it is told, and the process ends. */
function endBy(error: unknown): void {
  channel.write(encodeFrame({ type: 'failed', error: faultOf('uncaught', error) }), () => process.exit(70))
}
process.on('uncaughtException', endBy)
process.on('unhandledRejection', endBy)
channel.on('close', () => process.exit(0))

const reader = new FrameReader<Order>()
channel.on('data', chunk => {
  for (const order of reader.read(chunk)) obey(order)
})
say({ type: 'booted' })

function obey(order: Order): void {
  if (order.type === 'load') void load(order)
  else if (order.type === 'call') void call(order)
  else if (order.type === 'abort') aborts.get(order.id)?.abort(new Error('the time of the call is over'))
  else settleConnection(order)
}

async function load(order: Order & { type: 'load' }): Promise<void> {
  const startedAt = performance.now()
  Object.assign(process.env, order.about.env)
  const result = await loadHandler(order, wanted => importOf(order.folder, wanted)).catch(error =>
    faultOf('loadFailed', error),
  )
  if ('kind' in result) return say({ type: 'failed', error: result })
  loaded = result
  try {
    await loaded.initialise?.(logOf(null))
    say({ type: 'ready', initMs: performance.now() - startedAt })
  } catch (error) {
    say({ type: 'failed', error: faultOf('initialiserFailed', error) })
  }
}

async function call(order: Order & { type: 'call' }): Promise<void> {
  const { id } = order
  const abort = new AbortController()
  aborts.set(id, abort)
  try {
    if (!loaded) throw new Error('called before it was ready')
    answer({ type: 'answered', id, result: await callHandler(loaded, order, abort.signal) })
  } catch (error) {
    say({ type: 'threw', id, error: isFault(error) ? error : faultOf('refused', error) })
  } finally {
    aborts.delete(id)
  }
}
