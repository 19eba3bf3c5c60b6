import type { Order, Report } from '../frames.ts'
import { faultOf, isFault } from './faults.ts'
import { CallEnd, callHandler, type Loaded, loadHandler, type ModuleOf } from './handler.ts'
import { logOf, makeRoomFor } from './logs.ts'

type Of<Type extends Order['type']> = Order & { type: Type }

interface Channel {
  say(report: Report): void
  /** As `say`, where nothing is lost when it goes out a moment later. */
  answer(report: Report): void
  modulesOf(order: Of<'load'>): ModuleOf
  settleConnection?(order: Of<'opened'> | Of<'closed'>): void
}

/** Does what the server orders: loads one handler, says when it is ready, and calls it. */
export function serve({ say, answer, modulesOf, settleConnection }: Channel): (order: Order) => void {
  const running = new Map<string, CallEnd>()
  let loaded: Loaded | undefined

  async function load(order: Of<'load'>): Promise<void> {
    const startedAt = performance.now()
    Object.assign(process.env, order.about.env)
    const result = await loadHandler(order, modulesOf(order)).catch(error => faultOf('loadFailed', error))
    if ('kind' in result) return say({ type: 'failed', error: result })
    loaded = result
    try {
      await loaded.initialise?.(logOf(null))
      say({ type: 'ready', initMs: performance.now() - startedAt })
    } catch (error) {
      say({ type: 'failed', error: faultOf('initialiserFailed', error) })
    }
  }

  async function call(order: Of<'call'>): Promise<void> {
    const { id } = order
    const end = new CallEnd()
    running.set(id, end)
    const closeRoom = makeRoomFor(id)
    try {
      if (!loaded) throw new Error('called before it was ready')
      answer({ type: 'answered', id, result: await callHandler(loaded, order, end) })
    } catch (error) {
      say({ type: 'threw', id, error: isFault(error) ? error : faultOf('refused', error) })
    } finally {
      running.delete(id)
      closeRoom()
    }
  }

  return order => {
    if (order.type === 'load') void load(order)
    else if (order.type === 'call') void call(order)
    else if (order.type === 'abort') running.get(order.id)?.come()
    else if (order.type === 'opened' || order.type === 'closed') settleConnection?.(order)
  }
}
