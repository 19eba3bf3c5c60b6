import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Server } from '../../../../server/server.ts'
import { UnpackedCode } from '../code/unpacked.ts'
import type { LogLevel } from '../engine/port.ts'
import { ProcessEngine } from '../engine/processes.ts'
import { limits } from '../rules.ts'
import type { FunctionConfig } from '../tables.ts'
import { reach } from './reach.ts'
import { VersionPool } from './version-pool.ts'

/** A version as it is run: what makes it another one is in `key`. */
export interface Runnable {
  functionId: string
  projectId: string
  teamId: string
  functionName: string
  zone: ZoneId
  /** `$latest` or a number. */
  version: string
  config: FunctionConfig
  /** Opened secrets of the environment. */
  secrets: Record<string, string>
  codeSha256: string
  /** Of code, configuration and secrets. */
  digest: string
}

export interface LogLine {
  at: number
  level: LogLevel
  line: string
}

/** All copies of all functions that this process runs. */
export class FunctionRuntime {
  readonly engine: ProcessEngine
  readonly #server: Server
  readonly #code: UnpackedCode
  readonly #pools = new Map<string, { pool: VersionPool; runnable: Runnable; lines: Map<string, LogLine[]> }>()
  readonly #sweep: NodeJS.Timeout

  constructor(server: Server) {
    this.#server = server
    this.engine = new ProcessEngine(server.config.functions === 'unwalled')
    this.#code = new UnpackedCode(server)
    this.#sweep = setInterval(() => this.#dropEmpty(), 30_000)
    this.#sweep.unref()
  }

  /** The copies of a version; made with the first call. `lines` collects what is logged, by request. */
  of(runnable: Runnable): { pool: VersionPool; lines: Map<string, LogLine[]> } {
    const key = `${runnable.zone} ${runnable.functionId} ${runnable.version} ${runnable.digest}`
    let found = this.#pools.get(key)
    if (!found) {
      const lines = new Map<string, LogLine[]>()
      found = { pool: this.#open(runnable, lines), runnable, lines }
      this.#pools.set(key, found)
      if (runnable.version === '$latest') this.#retireOthers(runnable)
    }
    return found
  }

  /** What runs of a function on this process. */
  poolsOf(functionId: string, version: string): VersionPool[] {
    return [...this.#pools.values()]
      .filter(({ runnable }) => runnable.functionId === functionId && runnable.version === version)
      .map(one => one.pool)
  }

  /** Ends what runs of a function: it was deleted or switched off. */
  end(functionId: string): void {
    for (const [key, { pool, runnable }] of this.#pools) {
      if (runnable.functionId !== functionId) continue
      this.#pools.delete(key)
      void pool.close(0)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(pools.map(({ pool }) => pool.close(0)))
    await this.engine.close()
    await this.#code.close()
  }

  #open(runnable: Runnable, lines: Map<string, LogLine[]>): VersionPool {
    const { config, functionName, version, zone, codeSha256, secrets } = runnable
    const log = ({ requestId, level, line }: { requestId: string | null; level: LogLevel; line: string }) => {
      const own = requestId === null ? undefined : lines.get(requestId)
      if (own && own.length < limits.logLines) own.push({ at: this.#server.clock.now(), level, line })
    }
    const start = async () =>
      this.engine.start(
        {
          functionName,
          version,
          folder: await this.#code.folderOf(zone, codeSha256),
          layers: [],
          handler: config.handler,
          initialiser: config.initHandler,
          initTimeoutMs: config.initTimeoutMs,
          isObject: config.functionType === 1,
          memoryMb: config.memoryMb,
          env: { ...config.env, ...secrets },
          connect: (host, port) => reach(this.#server.outbound, host, port),
        },
        { log },
      )
    return new VersionPool({
      start,
      concurrency: config.instanceConcurrency,
      maxInstances: limits.instances,
      minInstances: 0,
      idleMs: limits.idleMs,
      now: () => this.#server.clock.now(),
    })
  }

  /** What `$latest` was before finishes its calls and ends. */
  #retireOthers({ functionId, zone, digest }: Runnable): void {
    for (const [key, { pool, runnable }] of this.#pools) {
      const isOlder = runnable.functionId === functionId && runnable.zone === zone && runnable.version === '$latest'
      if (!isOlder || runnable.digest === digest) continue
      this.#pools.delete(key)
      void pool.close()
    }
  }

  #dropEmpty(): void {
    for (const [key, { pool }] of this.#pools) {
      if (!pool.isEmpty) continue
      this.#pools.delete(key)
      void pool.close(0)
    }
  }
}

const runtimes = new WeakMap<Server, FunctionRuntime>()

/** One a process; it starts nothing before the first call. */
export function runtimeOf(server: Server): FunctionRuntime {
  let runtime = runtimes.get(server)
  if (!runtime) {
    runtime = new FunctionRuntime(server)
    runtimes.set(server, runtime)
  }
  return runtime
}
