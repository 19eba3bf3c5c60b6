import type { FunctionRuntime } from './runtime.ts'

/** The copies of a version that run now on this process, as the wire shows them. */
export function copiesOf(runtime: FunctionRuntime, functionId: string, version: string) {
  const views = runtime.poolsOf(functionId, version).flatMap(pool => pool.views())
  const whole = (value: number) => Math.round(value)
  return views.map(({ instanceId, ...one }) => ({
    ...{ ...one, podId: instanceId, version },
    ...{ memMb: whole(one.memMb), cpuMs: whole(one.cpuMs), bootMs: whole(one.bootMs), initMs: whole(one.initMs) },
  }))
}
