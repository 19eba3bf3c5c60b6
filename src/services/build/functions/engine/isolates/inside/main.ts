import { abortIsolate } from 'cloudflare:workers'
import { FrameReader, type Order, type Report, readOrder } from '../../frames.ts'
import { faultOf } from '../../runner/faults.ts'
import { asModule, type Module } from '../../runner/handler.ts'
import { catchLogs } from '../../runner/logs.ts'
import { serve } from '../../runner/serving.ts'
import make from './bundle.mjs'
import { collect } from './collect.ts'
import { guideOutgoing } from './outgoing.ts'
import { Telling } from './telling.ts'

/**
 * What runs in a copy's isolate around the code of the package. The server talks to it by one WebSocket that lasts as long as
 * the copy: all of its calls run within that, so what one of them opened is there for the next, as it is in Node. Bodies
 * that stream both ways cost more for each message, and leave three times as much to be collected.
 */
const telling = new Telling()
const say = (report: Report) => telling.say(report)

/** What nobody awaited or caught leaves the code in a state that nobody knows: it is told, and the copy ends. */
const endBy = (error: unknown) => say({ type: 'failed', error: faultOf('uncaught', error) })

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

/** The code itself runs here: within the request, where timers and chance are there. */
function modulesOf(order: Order & { type: 'load' }) {
  let made: ReturnType<typeof make> | undefined
  return async (wanted: string): Promise<Module> => {
    made ??= make()
    if ('whole' in made) return '__esModule' in Object(made.whole) ? (made.whole as Module) : asModule(made.whole)
    return wanted === order.handler ? made.handler : made.initialiser
  }
}

function talk(socket: Socket): void {
  const obey = serve({ say, answer: say, modulesOf })
  const reader = new FrameReader(readOrder)
  socket.accept()
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }) => {
    for (const order of reader.read(Buffer.from(data))) {
      if (order.type === 'taken') telling.taken(order.weight)
      else if (order.type === 'collect') {
        collect()
        say({ type: 'collected' })
      } else obey(order)
    }
  })
  telling.open(bytes => socket.send(bytes))
}

export default {
  fetch(request: Request): Response {
    const { pathname } = new URL(request.url)
    if (pathname === '/end') abortIsolate('the copy is not needed any more')
    if (pathname !== '/talk') return new Response()
    const [webSocket, own] = Object.values(new WebSocketPair()) as [Socket, Socket]
    talk(own)
    const upgrade: ResponseInit & { webSocket: Socket } = { status: 101, webSocket }
    return new Response(null, upgrade)
  },
}
