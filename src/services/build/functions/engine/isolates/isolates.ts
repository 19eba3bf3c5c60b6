import { CannotStart, type EngineCapability, type FunctionEngine, type Instance } from '../port.ts'
import { faultOf } from '../process-instance.ts'

const missing = 'this server begins no process of workerd'

/** Functions as isolates of workerd. */
export class IsolateEngine implements FunctionEngine {
  readonly runtime = 'isolate' as const

  async capabilities(): Promise<readonly EngineCapability[]> {
    return [{ name: 'start', isThere: false, why: missing }]
  }

  async start(): Promise<Instance> {
    throw new CannotStart(faultOf('loadFailed', missing))
  }

  async close(): Promise<void> {}
}
