import { enableCompileCache } from 'node:module'
import net from 'node:net'
import { encodeFrame, FrameReader, type Report, readOrder } from '../frames.ts'
import { faultOf } from './faults.ts'
import { markHops } from './hops.ts'
import { findInLayers } from './layers.ts'
import { catchLogs } from './logs.ts'
import { moduleOf } from './modules.ts'
import { guideConnections, settleConnection } from './outgoing.ts'
import { serve } from './serving.ts'

/**
 * What runs in a function's process. It talks over its third descriptor, which the server made; nothing else of the server
 * is within reach.
 */
const channel = new net.Socket({ fd: 3, readable: true, writable: true })
const say = (report: Report) => void channel.write(encodeFrame(report), 'latin1')
/** Answers of one turn go out as one. Lines never wait: a handler may not come back after one. */
const answer = (report: Report) => {
  if (channel.writableCorked === 0) {
    channel.cork()
    process.nextTick(() => channel.uncork())
  }
  say(report)
}

catchLogs(say)
guideConnections(say)
markHops()
findInLayers()

/** What nobody awaited or caught leaves the process in a state that nobody knows: it is told, and the process ends. */
function endBy(error: unknown): void {
  channel.write(encodeFrame({ type: 'failed', error: faultOf('uncaught', error) }), 'latin1', () => process.exit(70))
}
process.on('uncaughtException', endBy)
process.on('unhandledRejection', endBy)
channel.on('close', () => process.exit(0))

function modulesOf({ folder, compiled }: { folder: string; compiled?: string }) {
  if (compiled !== undefined) enableCompileCache(compiled)
  return (wanted: string) => moduleOf(folder, wanted)
}
const obey = serve({ say, answer, modulesOf, settleConnection })
const reader = new FrameReader(readOrder)
channel.on('data', chunk => {
  for (const order of reader.read(chunk)) obey(order)
})
say({ type: 'booted' })
